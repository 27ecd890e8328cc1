import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { type BtcpayCall, btcpayEnv } from '#test/fake-servers/btcpay.ts';
import type { Interference } from '#test/fake-servers/serve-json.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { OutcomeUnknown, type PayoutOrder } from '../gateway.ts';
import { invoiceOrder, openGateway, payoutOrder } from './gateway.test-setup.ts';
import { btcpayGateway } from './gateway.ts';

const at = await openGateway();
beforeEach(() => {
  at.node.payouts.splice(0);
  at.logged.splice(0);
});

const pay = (order = payoutOrder) => at.gateway.createPayout(order);
const find = () => at.gateway.findPayout(payoutOrder);
const convert = async () => (await at.gateway.coins?.toUnits(payoutOrder.amountMicros, null)) as string;
const convertAndPay = async () => pay({ ...payoutOrder, units: await convert() });
const answer = (status: number, body: unknown = {}) => ({ status, body });
const refused = new Refused('gateway_unavailable');

test('only Bitcoin is paid out', () => {
  const networks = ['BTC', 'TRC20', 'BEP20', 'ERC20'] as const;
  expect(networks.map(at.gateway.canPay)).toEqual([true, false, false, false]);
});

describe('a payout', () => {
  test('is asked for in Bitcoin, rounded down at the rate of the moment, approved, with our reference', async () => {
    at.node.rate = '64392.23';
    // 990 ÷ 64 392.23 = 0.015374525…
    const units = await convert();
    expect(units).toBe('0.01537452');
    const payout = await pay({ ...payoutOrder, units });
    at.node.rate = '50000';
    expect(payout).toMatchObject({ id: at.node.payouts[0]?.id, state: 'waiting', transaction: null, units });
    expect(at.node.payouts).toMatchObject([
      {
        destination: payoutOrder.address,
        amount: '0.01537452',
        state: 'AwaitingPayment',
        metadata: { orderId: 'WD-7M2QX4', source: 'Withdrawal WD-7M2QX4' },
      },
    ]);
  });

  test('waits until the gateway says that it is completed, and then has its transaction', async () => {
    const { id } = await pay();
    at.node.sendPayout(id);
    const transaction = at.node.payouts[0]?.transaction;
    expect(transaction).toMatch(/^[0-9a-f]{64}$/);
    expect(await at.gateway.getPayout(id, payoutOrder)).toMatchObject({ id, state: 'waiting', transaction });
    at.node.completePayout(id);
    expect(await at.gateway.getPayout(id, payoutOrder)).toMatchObject({ id, state: 'completed', transaction });
    expect(await find()).toMatchObject({ id, state: 'completed', transaction });
  });

  test.each<[string, Partial<PayoutOrder>]>([
    ['another address', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
    ['another amount', { units: '0.01980001' }],
    ['an amount that was never ordered', { units: null }],
  ])('of %s is uncertain, also when it is completed, unless it was cancelled', async (_, other) => {
    const [kept, cancelled] = [await pay(), await pay()];
    const look = (id: string) => at.gateway.getPayout(id, { ...payoutOrder, ...other });
    expect(await look(kept.id)).toMatchObject({ id: kept.id, state: 'uncertain' });
    at.node.completePayout(kept.id);
    expect(await look(kept.id)).toMatchObject({ state: 'uncertain', transaction: at.node.payouts[0]?.transaction });
    at.node.cancelPayout(cancelled.id);
    expect(await look(cancelled.id)).toMatchObject({ state: 'cancelled' });
  });

  test('by Lightning, or completed without an amount, is uncertain', async () => {
    const { id } = await pay();
    const shown = { id, state: 'Completed', destination: payoutOrder.address, payoutAmount: '0.0198' };
    for (const odd of [{ payoutMethodId: 'BTC-LN' }, { payoutMethodId: 'BTC-CHAIN', payoutAmount: null }]) {
      at.node.interferences.push({ call: 'getPayout', with: answer(200, { ...shown, ...odd }) });
      expect(await at.gateway.getPayout(id, payoutOrder)).toMatchObject({ state: 'uncertain' });
    }
  });

  test('is found by its reference alone, the living one before a cancelled one', async () => {
    expect(await find()).toBeUndefined();
    await pay({ ...payoutOrder, reference: 'WD-OTHERS' });
    expect(await find()).toBeUndefined();
    const cancelled = await pay();
    at.node.cancelPayout(cancelled.id);
    expect(await find()).toEqual({ ...cancelled, state: 'cancelled' });
    const living = await pay();
    expect(await find()).toEqual(living);
    expect(await at.gateway.getPayout(cancelled.id, payoutOrder)).toMatchObject({ state: 'cancelled' });
    expect(await at.gateway.getPayout('no-such-payout', payoutOrder)).toBeUndefined();
  });
});

describe('it is certain that nothing was created', () => {
  test('when nobody answers at all', async () => {
    await at.node.goAway();
    await expect(convertAndPay()).rejects.toThrow(refused);
    await at.node.comeBack();
    expect(at.node.payouts).toEqual([]);
  });

  test.each<[string, BtcpayCall, Exclude<Interference, 'delay'>]>([
    ['the rate cannot be asked', 'getRates', 'do_and_hang'],
    ['the gateway knows no rate', 'getRates', answer(200, [{ currencyPair: 'BTC_USD', errors: ['x'], rate: null }])],
    ['the rate is nothing', 'getRates', answer(200, [{ currencyPair: 'BTC_USD', errors: [], rate: '0' }])],
    ['the rate is of another pair', 'getRates', answer(200, [{ currencyPair: 'LTC_USD', errors: [], rate: '90' }])],
    ['the order is refused', 'createPayout', answer(400, { code: 'amount-too-low' })],
    ['the address has one under way', 'createPayout', answer(400, { code: 'duplicate-destination' })],
    ['the key may not pay', 'createPayout', answer(403, { code: 'missing-permission' })],
    ['the form is not liked', 'createPayout', answer(422, [{ path: 'destination', message: 'Invalid' }])],
    ['we ask too often', 'createPayout', answer(429)],
  ])('when %s', async (_, call, interference) => {
    at.node.interferences.push({ call, with: interference });
    await expect(convertAndPay()).rejects.toThrow(refused);
    expect(at.node.payouts).toEqual([]);
    expect(at.logged).toHaveLength(1);
  });
});

describe('the outcome is unknown', () => {
  test.each<[string, Exclude<Interference, 'delay'>, number]>([
    ['no answer comes, though it was done', 'do_and_hang', 1],
    ['the connection breaks after it was done', 'do_and_break', 1],
    ['the connection breaks before it was done', 'break', 0],
    ['the gateway has a fault', answer(500), 0],
    ['something between gives up', answer(504), 0],
    ['something between waited too long', answer(408), 0],
    ['we are sent elsewhere', { ...answer(303), headers: { location: 'http://127.0.0.1:1/' } }, 0],
    ['the answer cannot be read', answer(200, { ok: true }), 0],
  ])('when %s', async (_, interference, made) => {
    at.node.interferences.push({ call: 'createPayout', with: interference });
    await expect(pay()).rejects.toThrow(OutcomeUnknown);
    expect(at.node.payouts).toHaveLength(made);
    expect((await find())?.id).toBe(at.node.payouts[0]?.id);
  });
});

test('a search for a payout fails when the gateway is unavailable', async () => {
  for (const interference of ['break', 'do_and_hang', answer(500), answer(403), answer(200, {})] as const) {
    at.node.interferences.push({ call: 'listPayouts', with: interference });
    await expect(find()).rejects.toThrow(refused);
    at.node.interferences.push({ call: 'getPayout', with: interference });
    await expect(at.gateway.getPayout('x', payoutOrder)).rejects.toThrow(refused);
  }
});

test('a process without the key of payouts asks nothing of the kind, and makes invoices', async () => {
  const config = testConfig({ ...btcpayEnv(at.node), JOBS: 'off' });
  const web = btcpayGateway({ config, log: pino({ level: 'silent' }), now: () => new Date(), db: {} as Db });
  const before = at.node.calls.length;
  for (const asked of [
    () => web.createPayout(payoutOrder),
    () => web.findPayout(payoutOrder),
    () => web.getPayout('x', payoutOrder),
    () => web.reportBalance(),
  ])
    await expect(asked()).rejects.toThrow('payouts are made by the worker');
  expect(at.node.calls).toHaveLength(before);
  expect(web.canPay('BTC')).toBe(true);
  const { invoice } = await web.createInvoice(invoiceOrder);
  expect(await web.findInvoice(invoice.id)).toMatchObject({ id: invoice.id });
});

describe('the network fee of a transaction', () => {
  test('is what left the wallet beside all payouts that it made', async () => {
    at.node.networkFee = '0.0002';
    const payouts = [await pay(), await pay()];
    const transaction = at.node.sendPayout(...payouts.map(({ id }) => id));
    expect(await at.gateway.coins?.findNetworkFee(transaction)).toBe('0.0002');
    // Cancelled at the gateway, one has left all the same.
    at.node.cancelPayout(payouts[0]?.id as string);
    expect(await at.gateway.coins?.findNetworkFee(transaction)).toBe('0.0002');
  });

  test('is not known of a transaction that is not the wallet’s', async () => {
    expect(await at.gateway.coins?.findNetworkFee('ab'.repeat(32))).toBeUndefined();
  });
});
