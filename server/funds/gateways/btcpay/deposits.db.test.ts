import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import type { BtcpayEvent } from '#test/fake-servers/btcpay-invoices.ts';
import { type BtcpayDelivery, writeDelivery } from '#test/fake-servers/btcpay-webhooks.ts';
import { type Answer, refusal, testApp } from '#test/worlds/app.ts';
import { followDeposit } from '../../deposits/follow-deposit.ts';
import { getDeposit } from '../../deposits/show-deposit.ts';
import type { DepositRow } from '../../deposits/sql.ts';
import { listTransactionOwners } from '../../find-owner-sql.ts';
import { openFundsWorld, usd } from '../../funds-world.test-setup.ts';
import { mountFunds } from '../../routes.ts';

const node = closeAfterAll(await startBtcpay());
const world = closeAfterAll(await openFundsWorld(btcpayEnv(node)));
node.now = () => world.clock.now().getTime();
const app = closeAfterAll(await testApp(world.context, mountFunds));
afterEach(() => node.interferences.splice(0));

const post = ({ rawBody, headers }: BtcpayDelivery, gateway = 'btcpay'): Promise<Answer> =>
  app.ask('POST', `webhooks/${gateway}`, { body: rawBody.toString('utf8'), headers: { ...headers } });
const invoiceOf = (deposit: DepositRow) => deposit.invoice_id as string;
const eventsOf = (deposit: DepositRow) => node.events.filter((event) => event.invoiceId === invoiceOf(deposit));
const stateOf = async (deposit: DepositRow) => (await world.find(deposit.id)).state;

async function paidDeposit(dollars = 100): Promise<DepositRow> {
  const deposit = await world.addDeposit(100);
  node.pay(invoiceOf(deposit), dollars);
  node.confirm(invoiceOf(deposit));
  return deposit;
}

describe('a deposit at BTCPay Server', () => {
  test('is paid on its page or by scanning, and credited after a webhook triggers a check', async () => {
    const deposit = await world.addDeposit(100);
    const shown = () => getDeposit(world.context, deposit.member_id, deposit.id);
    expect(await shown()).toMatchObject({
      state: 'created',
      paid: null,
      pay_url: `${node.url}/i/${deposit.invoice_id}`,
      pay_ways: [
        { label: 'Bitcoin', due: '0.002', currency: 'BTC' },
        { label: 'Lightning', due: '0.002' },
      ],
    });
    node.pay(invoiceOf(deposit), 40);
    await node.outbox.sendDue(async (delivery) => (await post(delivery)).status);
    expect(await shown()).toMatchObject({
      state: 'pending',
      paid: 40,
      pay_ways: [{ due: '0.0012' }, { due: '0.0012' }],
    });
    node.pay(invoiceOf(deposit), 10);
    await node.outbox.sendDue(async (delivery) => (await post(delivery)).status);
    // Still pending, but less is left to scan.
    expect(await shown()).toMatchObject({
      state: 'pending',
      paid: 50,
      pay_ways: [{ due: '0.001' }, { due: '0.001' }],
    });
    node.pay(invoiceOf(deposit), 50);
    node.confirm(invoiceOf(deposit));
    await node.outbox.sendDue(async (delivery) => (await post(delivery)).status);
    expect(await shown()).toMatchObject({ state: 'credited', credited: 100, pay_url: null, pay_ways: [] });
    expect(await world.primary(deposit.member_id)).toBe(usd(100));
    expect(node.outbox.sendings.every((sending) => sending.status === 200)).toBe(true);
    expect(await world.messages(deposit.member_id)).toHaveLength(1);
  });

  test('shows the hash of its transaction, by which it is found', async () => {
    const deposit = await world.addDeposit(100);
    const hash = node.pay(invoiceOf(deposit), 100).replace('-0', '');
    await followDeposit(world.context, world.gateway, deposit.id);
    expect(await getDeposit(world.context, deposit.member_id, deposit.id)).toMatchObject({ transaction: hash });
    expect(await listTransactionOwners(world.context.db, hash)).toEqual([deposit.member_id]);
  });

  test('of $10 at a rate that does not divide is credited with what arrived', async () => {
    node.rate = '64392.23';
    const deposit = await world.addDeposit(10);
    node.pay(invoiceOf(deposit), 10);
    node.confirm(invoiceOf(deposit));
    await followDeposit(world.context, world.gateway, deposit.id);
    node.rate = '50000';
    // 0.0001553 BTC, a whole satoshi more than $10.
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', credited_micros: 10_000_113n });
  });

  test('waits for its payment a quarter of an hour', async () => {
    const deposit = await world.addDeposit(100);
    expect(deposit.expires_at.getTime() - deposit.created_at.getTime()).toBe(15 * 60_000);
    expect(node.invoices.get(invoiceOf(deposit))?.checkout).toMatchObject({ expirationMinutes: 15 });
  });

  test.each([
    [10, 'MediumSpeed'],
    [1000, 'MediumSpeed'],
    [1000.01, 'LowSpeed'],
    [50_000, 'LowSpeed'],
  ])('of $%d is confirmed as often as its amount asks for: %s', async (dollars, speedPolicy) => {
    const deposit = await world.addDeposit(dollars);
    expect(node.invoices.get(invoiceOf(deposit))?.checkout).toMatchObject({ speedPolicy });
  });
});

describe('a payment in Bitcoin is worth', () => {
  const look = (deposit: DepositRow) => followDeposit(world.context, world.gateway, deposit.id);
  const at = async (rate: string, work: () => unknown) => {
    node.rate = rate;
    await work();
    node.rate = '50000';
  };
  /** Seen at 50 000, confirmed at another rate. */
  const confirmAt = async (deposit: DepositRow, rate: string) => {
    node.pay(invoiceOf(deposit), 100);
    await look(deposit);
    node.confirm(invoiceOf(deposit));
    await at(rate, () => look(deposit));
  };

  test.each([
    ['52000', 104],
    ['48000', 96],
  ])('its coins at the rate when it confirmed: at %s', async (rate, dollars) => {
    const deposit = await world.addDeposit(100);
    await confirmAt(deposit, rate);
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', credited_micros: usd(dollars) });
    // Whatever the price does afterwards: it stays as it was booked.
    await at('10000', () => look(deposit));
    await at('90000', () => look(deposit));
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', booked_micros: usd(dollars) });
  });

  test.each([
    ['52000', 100],
    ['48000', 96],
  ])('late, the lower of that and the rate of the invoice: at %s', async (rate, dollars) => {
    const deposit = await world.addDeposit(100);
    world.clock.advance(16 * 60);
    node.expire(invoiceOf(deposit));
    await look(deposit);
    await confirmAt(deposit, rate);
    expect(await world.find(deposit.id)).toMatchObject({
      state: 'review',
      booked_micros: usd(dollars),
      credited_micros: null,
    });
  });

  test('each its own rate, when a second one confirms later', async () => {
    const deposit = await world.addDeposit(100);
    node.pay(invoiceOf(deposit), 40);
    node.confirm(invoiceOf(deposit));
    await at('45000', () => look(deposit));
    expect((await world.find(deposit.id)).state).toBe('underpaid');
    node.pay(invoiceOf(deposit), 60);
    node.confirm(invoiceOf(deposit));
    await at('55000', () => look(deposit));
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', credited_micros: usd(36 + 66) });
  });

  test('one rate for all who look at the same time, while it moves', async () => {
    const deposit = await world.addDeposit(100);
    node.pay(invoiceOf(deposit), 100);
    node.confirm(invoiceOf(deposit));
    const looks = Array.from({ length: 8 }, (_, index) => at(`${50_000 + index * 1000}`, () => look(deposit)));
    await Promise.all(looks);
    const { booked_micros, credited_micros, state } = await world.find(deposit.id);
    expect([state, booked_micros]).toEqual(['credited', credited_micros]);
  });

  test('nothing yet while the gateway knows no rate', async () => {
    const deposit = await world.addDeposit(100);
    node.pay(invoiceOf(deposit), 100);
    node.confirm(invoiceOf(deposit));
    node.interferences.push({ call: 'getRates', with: { status: 500, body: {} } });
    await expect(look(deposit)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    expect((await world.find(deposit.id)).state).toBe('created');
    await look(deposit);
    expect((await world.find(deposit.id)).state).toBe('credited');
  });

  test('what the invoice says, of a deposit from before', async () => {
    const deposit = await world.addDeposit(100);
    await sql`update funds.deposit set pay_with = null where id = ${deposit.id}`.execute(world.context.db);
    await confirmAt(deposit, '40000');
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', credited_micros: usd(100) });
  });
});

// Forgeries: read-event.test.ts and deposits/receive-webhook.any.test.ts.
describe('a webhook credits nothing', () => {
  test('of another store with our secret: accepted, without a call to the gateway', async () => {
    const deposit = await paidDeposit();
    const event = eventsOf(deposit).at(-1) as BtcpayEvent;
    const asked = node.calls.length;
    expect((await post(writeDelivery({ ...node, storeId: 'another' }, event))).status).toBe(200);
    expect(node.calls).toHaveLength(asked);
    expect(await stateOf(deposit)).toBe('created');
  });

  test('when the invoice turns out to be of another order', async () => {
    const deposit = await paidDeposit();
    const invoice = node.invoices.get(invoiceOf(deposit)) as NonNullable<ReturnType<typeof node.invoices.get>>;
    node.invoices.set(invoice.id, { ...invoice, metadata: { orderId: '999999' } });
    await expect(followDeposit(world.context, world.gateway, deposit.id)).rejects.toThrow('another order');
    expect(await stateOf(deposit)).toBe('created');
    node.invoices.set(invoice.id, invoice);
  });

  test('sent to a gateway that is not configured: 404', async () => {
    const deposit = await paidDeposit();
    const genuine = writeDelivery(node, eventsOf(deposit).at(-1) as BtcpayEvent);
    expect(await post(genuine, 'sandbox')).toMatchObject(refusal(404, 'not_found'));
    expect(await post(genuine, 'paypal')).toMatchObject({ status: 422 });
    expect(await stateOf(deposit)).toBe('created');
  });
});

describe("a fault that is ours or the gateway's makes the event come again", () => {
  test('until the gateway can be asked', async () => {
    const deposit = await paidDeposit();
    const genuine = writeDelivery(node, eventsOf(deposit).at(-1) as BtcpayEvent);
    const unavailable = { status: 503, body: { code: 'gateway_unavailable' } };
    for (const fault of [{ status: 500, body: {} }, { status: 429, body: {} }, 'break'] as const) {
      node.interferences.push({ call: 'getInvoice', with: fault });
      expect(await post(genuine)).toMatchObject(unavailable);
    }
    node.interferences.push({ call: 'listPaymentMethods', with: 'break' });
    expect(await post(genuine)).toMatchObject(unavailable);
    await node.goAway();
    expect(await post(genuine)).toMatchObject(unavailable);
    await node.comeBack();
    expect(await stateOf(deposit)).toBe('created');
    expect((await post(genuine)).status).toBe(200);
    expect(await stateOf(deposit)).toBe('credited');
  });
});
