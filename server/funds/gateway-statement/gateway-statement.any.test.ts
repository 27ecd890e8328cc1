import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { followCoins } from '../coins/value-coins.ts';
import { createDeposit } from '../deposits/create-deposit.ts';
import { reconcileDeposits } from '../deposits/reconcile-deposits.ts';
import type { DepositRow } from '../deposits/sql.ts';
import { followPayouts } from '../payouts/follow-payouts.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { type OfficeWorld, openOfficeWorld } from '../review/review-world.test-setup.ts';
import { explainFinding, importEntriesWhenDue, requestImport } from './import-entries.ts';
import { getGatewayStatement, listGatewayFindings } from './show-entries.ts';

const btcpay = closeAfterAll(await startBtcpay());
const nowpayments = closeAfterAll(await startNowpayments());
const bitcoin = closeAfterAll(await openOfficeWorld(btcpayEnv(btcpay)));
const dollars = closeAfterAll(await openOfficeWorld(nowpaymentsPayerEnv(nowpayments)));
btcpay.now = () => bitcoin.clock.now().getTime();
nowpayments.clock.now = () => dollars.clock.now().getTime();
afterEach(() => {
  btcpay.interferences.splice(0);
  nowpayments.interferences.splice(0);
});

/** A day later, when everything can be expected to be listed. */
async function importNext({ context, clock }: OfficeWorld) {
  clock.advance(24 * 3600);
  expect(await importEntriesWhenDue(context)).toBe(1);
}
const list = async ({ context }: OfficeWorld, state: 'open' | 'explained' | 'matched' = 'open') =>
  (await listGatewayFindings(context, { state, limit: 100 })).items;
const entries = async ({ context }: OfficeWorld) => (await getGatewayStatement(context, [])).open;

describe('a store of Bitcoin', () => {
  const pay = async (amount: number): Promise<DepositRow> => {
    const deposit = await bitcoin.addDeposit(amount);
    btcpay.pay(deposit.invoice_id as string, amount);
    btcpay.confirm(deposit.invoice_id as string);
    await reconcileDeposits(bitcoin.context);
    return bitcoin.find(deposit.id);
  };
  const payOut = async (amount: number) => {
    const { id } = await bitcoin.addApproved(amount, 'BTC');
    await payWithdrawals(bitcoin.context);
    btcpay.completePayout(btcpay.payouts.at(-1)?.id as string);
    bitcoin.clock.advance(5);
    await followPayouts(bitcoin.context);
    return bitcoin.withdrawal(id);
  };

  test('matches payments, payouts and network fees, each once, however often it is imported', async () => {
    await bitcoin.addDeposit(40);
    expect((await pay(500)).state).toBe('credited');
    await payOut(100);
    await followCoins(bitcoin.context);
    await importNext(bitcoin);
    await importNext(bitcoin);
    expect(await list(bitcoin)).toEqual([]);
    const { gateways } = await getGatewayStatement(bitcoin.context, [bitcoin.gateway]);
    expect(gateways).toMatchObject([{ gateway: 'btcpay', entries: 2, asked: false, fault: null }]);
  });

  test('lists what left and came without anybody here, and a payout whose fee is not booked', async () => {
    const at = bitcoin.clock.now().getTime();
    btcpay.strange.push({ hash: 'ab'.repeat(32), amount: '-0.25', at }, { hash: 'cd'.repeat(32), amount: '0.01', at });
    const { transaction, reference } = await payOut(200);
    await importNext(bitcoin);
    expect(await list(bitcoin)).toMatchObject([
      ...[
        { about: 'transaction', about_id: transaction, kind: 'differs', reference, asset: 'BTC', listed: '-0.00398' },
        { about_id: 'ab'.repeat(32), kind: 'unmatched', listed: '-0.25', booked: null },
        { about_id: 'cd'.repeat(32), kind: 'unmatched', listed: '0.01' },
      ].toSorted((a, b) => (`${a.about_id}` < `${b.about_id}` ? -1 : 1)),
    ]);
  });

  test('closes what matches later by itself, and keeps what was explained until its figures change', async () => {
    const { context, finance } = bitcoin;
    // The network's fee is booked late.
    bitcoin.clock.advance(-12 * 3600);
    await followCoins(context);
    bitcoin.clock.advance(12 * 3600);
    expect((await list(bitcoin)).map(({ kind }) => kind).sort()).toEqual(['differs', 'unmatched', 'unmatched']);
    const stranger = (await list(bitcoin)).find(({ about_id }) => about_id === 'ab'.repeat(32));
    const { id, listed = null, booked = null } = stranger ?? {};
    const about = { id: BigInt(id ?? 0), reason: 'Moved to the treasury’s cold wallet.', listed, booked };
    const before = { ...about, listed: '-0.2' };
    expect(await codeOf(explainFinding(context, actorOf(finance), before))).toBe('statement_changed');
    await explainFinding(context, actorOf(finance), about);
    expect(await codeOf(explainFinding(context, actorOf(finance), about))).toBe('statement_settled');
    const { rows } = await sql`select after from audit.entry where action = 'gateway_statement.explain'`.execute(
      context.db,
    );
    const after = { about: `transaction/${'ab'.repeat(32)}`, kind: 'unmatched', listed, booked, reason: about.reason };
    expect(rows).toEqual([{ after }]);
    await importNext(bitcoin);
    expect(await list(bitcoin, 'explained')).toMatchObject([
      { explanation: about.reason, operator: expect.any(String) },
    ]);
    const matched = await list(bitcoin, 'matched');
    expect(matched).toMatchObject([{ kind: 'differs', closed_at: bitcoin.clock.now().toISOString() }]);
    // A link to it does not say in which state it is.
    const { items } = await listGatewayFindings(bitcoin.context, { state: 'open', id, limit: 100 });
    expect(items).toMatchObject([{ id, state: 'explained' }]);
    Object.assign(btcpay.strange[0] as object, { amount: '-0.3' });
    await importNext(bitcoin);
    expect(await list(bitcoin, 'explained')).toEqual([]);
    expect((await list(bitcoin)).map(({ listed }) => listed)).toContain('-0.3');
    expect(await list(bitcoin, 'matched')).toEqual(matched);
  });

  test('whose list moves on between two pages is read all the same', async () => {
    await pay(80);
    bitcoin.clock.advance(24 * 3600);
    const { listEntries = async () => [] } = bitcoin.gateway;
    const listedTwice = async (from: Date, to: Date) => [
      ...(await listEntries(from, to)),
      ...(await listEntries(from, to)),
    ];
    const before = await list(bitcoin);
    expect(await importEntriesWhenDue(bitcoin.context, [{ ...bitcoin.gateway, listEntries: listedTwice }])).toBe(1);
    expect(await list(bitcoin)).toEqual(before);
  });

  test.each([
    ['an id that is too long', { id: randomBytes(2000).toString('hex') }],
    ['an id that is no text', { id: 'a\0b' }],
    ['a time that is too late', { at: new Date(8_640_000_000_000_000) }],
    ['an amount that is no number', { units: 'NaN-' }],
  ])('is imported without a payment with %s, which the operators read', async (_, odd) => {
    const { context } = bitcoin;
    const before = await list(bitcoin);
    await pay(70);
    const entry = {
      kind: 'payment',
      id: 'odd',
      about: 'payment/odd',
      at: bitcoin.clock.now(),
      asset: 'BTC',
      units: '1',
    } as const;
    const { listEntries = async () => [] } = bitcoin.gateway;
    const withOdd = async (from: Date, to: Date) => [...(await listEntries(from, to)), { ...entry, ...odd }];
    bitcoin.clock.advance(24 * 3600);
    expect(await importEntriesWhenDue(context, [{ ...bitcoin.gateway, listEntries: withOdd }])).toBe(1);
    expect(await list(bitcoin)).toEqual(before);
    const { gateways } = await getGatewayStatement(context, [bitcoin.gateway]);
    expect(gateways).toMatchObject([
      { fault: expect.stringMatching(/^Only in part: 1 of \d+ entries cannot be stored: payment /) },
    ]);
    expect(await importEntriesWhenDue(context)).toBe(0);
    await importNext(bitcoin);
    expect((await getGatewayStatement(context, [bitcoin.gateway])).gateways).toMatchObject([{ fault: null }]);
  });

  test('matches a payment that took six days to confirm', async () => {
    const before = await list(bitcoin);
    const deposit = await bitcoin.addDeposit(120);
    btcpay.pay(deposit.invoice_id as string, 120);
    await reconcileDeposits(bitcoin.context);
    for (let day = 0; day < 6; day += 1) await importNext(bitcoin);
    btcpay.confirm(deposit.invoice_id as string);
    await reconcileDeposits(bitcoin.context);
    expect((await bitcoin.find(deposit.id)).state).toBe('credited');
    await importNext(bitcoin);
    expect(await list(bitcoin)).toEqual(before);
  });

  test('lists nothing that either side may still follow, for three hours', async () => {
    const before = await list(bitcoin);
    await payOut(90);
    btcpay.invoices.delete((await pay(310)).invoice_id as string);
    await requestImport(bitcoin.context, actorOf(bitcoin.finance), [bitcoin.gateway]);
    expect(await importEntriesWhenDue(bitcoin.context)).toBe(1);
    expect(await list(bitcoin)).toEqual(before);
  });

  test('whose deposit the gateway does not list any more is missing', async () => {
    const deposit = await pay(300);
    btcpay.invoices.delete(deposit.invoice_id as string);
    await importNext(bitcoin);
    expect(await list(bitcoin)).toContainEqual(
      expect.objectContaining({ kind: 'missing', about: 'payment', reference: deposit.reference, listed: null }),
    );
  });

  test('that does not respond stores a fault, is retried ten minutes later, and loses nothing', async () => {
    const { context, clock } = bitcoin;
    btcpay.interferences.push({ call: 'listInvoices', with: { status: 500, body: {} } });
    clock.advance(24 * 3600);
    const before = await entries(bitcoin);
    expect(await importEntriesWhenDue(context)).toBe(0);
    expect((await getGatewayStatement(context, [bitcoin.gateway])).gateways).toMatchObject([
      { fault: 'The gateway did not respond.' },
    ]);
    expect(await entries(bitcoin)).toBe(before);
    expect(await importEntriesWhenDue(context)).toBe(0);
    clock.advance(600);
    expect(await importEntriesWhenDue(context)).toBe(1);
  });
});

describe('an account in USDT', () => {
  const pay = async (amount: number, coins = amount) => {
    const body = { amount, pay_with: 'TRC20' as const };
    const { id } = await createDeposit(dollars.context, await dollars.addMember(), body, undefined);
    const deposit = await dollars.find(BigInt(id));
    nowpayments.pay(deposit.invoice_id as string, coins);
    nowpayments.finish(deposit.invoice_id as string);
    await reconcileDeposits(dollars.context);
    return dollars.find(deposit.id);
  };
  const payOut = async (amount: number) => {
    const { id } = await dollars.addApproved(amount);
    await payWithdrawals(dollars.context);
    nowpayments.payouts.finish((await dollars.withdrawal(id)).payout_id as string);
    dollars.clock.advance(5);
    await followPayouts(dollars.context);
    return dollars.withdrawal(id);
  };

  test('matches payments, payouts and their network fees', async () => {
    expect((await pay(100, 100.25)).state).toBe('credited');
    expect((await payOut(200)).state).toBe('completed');
    await dollars.addApproved(60);
    await payWithdrawals(dollars.context);
    await importNext(dollars);
    expect(await list(dollars)).toEqual([]);
    expect((await getGatewayStatement(dollars.context, [dollars.gateway])).gateways).toMatchObject([{ entries: 3 }]);
  });

  test('matches what was explained once both sides agree, and opens it again when they differ as before', async () => {
    const { context, clock, finance } = dollars;
    const { id } = await pay(70);
    const book = (micros: number, at: Date | null = null) =>
      sql`update funds.deposit set booked_micros = booked_micros + ${micros}, updated_at = coalesce(${at}, updated_at) where id = ${id}`.execute(
        context.db,
      );
    await book(1_000_000);
    await importNext(dollars);
    const [found] = await list(dollars);
    const { listed = null, booked = null } = found ?? {};
    await explainFinding(context, actorOf(finance), { id: BigInt(found?.id ?? 0), reason: 'Known.', listed, booked });
    await book(-1_000_000);
    await importNext(dollars);
    expect(await list(dollars, 'matched')).toMatchObject([{ id: found?.id, explanation: null, operator: null }]);
    await book(1_000_000, clock.now());
    await importNext(dollars);
    expect(await list(dollars)).toMatchObject([{ id: found?.id, listed, booked, closed_at: null }]);
    await book(-1_000_000);
    await importNext(dollars);
    expect(await list(dollars)).toEqual([]);
  });

  test('lists a payout that nobody here ordered, and what differs', async () => {
    const { context } = dollars;
    const deposit = await pay(50);
    await sql`update funds.deposit set booked_micros = booked_micros + 1000000 where id = ${deposit.id}`.execute(
      context.db,
    );
    nowpayments.payouts.addForeign('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'usdttrc20', 900);
    // Two by hand in one batch, of which each is a row of the list.
    nowpayments.payouts.addForeign('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'usdttrc20', 30, 12.5);
    await importNext(dollars);
    await importNext(dollars);
    expect(await list(dollars)).toMatchObject([
      { about: 'payment', kind: 'differs', listed: '50', booked: '51', reference: deposit.reference, asset: 'USDT' },
      { about: 'payout', kind: 'unmatched', listed: '-900', reference: null },
      { about: 'payout', kind: 'unmatched', listed: '-42.5', reference: null },
    ]);
  });
});

test('an import that is asked for is shown as asked and runs at once; of no gateway, and of no entry, nothing is found', async () => {
  bitcoin.clock.advance(1);
  await requestImport(bitcoin.context, actorOf(bitcoin.finance), [bitcoin.gateway]);
  expect((await getGatewayStatement(bitcoin.context, [bitcoin.gateway])).gateways).toMatchObject([{ asked: true }]);
  bitcoin.clock.advance(1);
  expect(await importEntriesWhenDue(bitcoin.context)).toBe(1);
  expect(await codeOf(requestImport(bitcoin.context, actorOf(bitcoin.finance), []))).toBe('not_found');
  const about = { id: 999_999n, reason: 'Nothing.', listed: null, booked: null };
  expect(await codeOf(explainFinding(bitcoin.context, actorOf(bitcoin.finance), about))).toBe('not_found');
});
