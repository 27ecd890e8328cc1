import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { getHouseBalances } from '#server/ledger/index.ts';
import { runs } from '#test/kit/property-runs.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { reportGateways } from '../gateways/choose-gateway.ts';
import { followPayouts } from '../payouts/follow-payouts.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { decideDeposit } from '../review/decide-deposit.ts';
import { completeWithdrawal, resolveWithdrawal, sendWithdrawal, takeWithdrawal } from '../review/decide-withdrawal.ts';
import { openCoinsWorld } from './coins-world.test-setup.ts';
import { followCoins } from './value-coins.ts';

const opened = await openCoinsWorld();
const { node, world, confirmed, look } = opened;
const { context } = world;
const memberId = await world.addWithdrawer(1_000_000, 'BTC');
afterEach(async () => {
  node.interferences.splice(0);
  expect(await world.findings()).toEqual([]);
});

const coins = async () => (await opened.coins()) ?? expect.fail('begun');
/** Money credited to members by the test setup counts as dollars at the gateway. */
const house = async () => {
  const { gateway, gateway_result } = await getHouseBalances(context.db);
  const rows = await listRows(context.db)<{ given: bigint }>`
    select sum(amount)::bigint as given from ledger.transfer where reason = 'deposit' and reference not like 'DP-%'`;
  return { gateway: Number(-gateway - (rows[0]?.given ?? 0n)) / 1e6, result: Number(gateway_result) / 1e6 };
};

const pay = async (dollars: number) => look(await confirmed(dollars, memberId));

/** Payouts that one transaction pays, each of this many dollars and its fee. */
async function payOut(...dollars: number[]): Promise<string> {
  const approved = [];
  for (const amount of dollars) approved.push(await world.addApproved(amount, 'BTC'));
  const before = node.payouts.length;
  await payWithdrawals(context);
  const ids = node.payouts.slice(before).map(({ id }) => id);
  const transaction = node.sendPayout(...ids);
  for (const id of ids) node.completePayout(id);
  world.clock.advance(5);
  await followPayouts(context);
  for (const { id } of approved) expect((await world.withdrawal(id)).state).toBe('completed');
  return transaction;
}

const nextHour = () => world.clock.advance(3600);
const movements = async (kind: string) =>
  (await listRows(context.db)`select 1 from funds.gateway_movement where kind = ${kind}`).length;

test('a payment adds its coins, a payout takes those it paid, and the network’s fee is the house’s', async () => {
  node.rate = '50000';
  await pay(1000);
  expect(await coins()).toMatchObject({ units: 0.02, booked: 1000 });
  // $500 less 1 %: 0.0099 at the rate of the order.
  const transaction = await payOut(500);
  expect(await coins()).toMatchObject({ units: 0.0101, booked: 505 });
  node.networkFee = '0.0001';
  await followCoins(context);
  expect(await coins()).toMatchObject({ units: 0.01, booked: 500 });
  expect(await house()).toEqual({ gateway: 500, result: -5 });
  const { rows } = await sql`
    select key, reason, amount::int from ledger.transfer where reference = ${transaction}`.execute(context.db);
  expect(rows).toEqual([{ key: `network-fee/btcpay/${transaction}`, reason: 'network_fee', amount: 5_000_000 }]);
});

const failToFollow = () => expect(followCoins(context)).rejects.toMatchObject({ code: 'gateway_unavailable' });
const failToReadFee = () => {
  node.interferences.push({ call: 'getTransaction', with: 'break' });
  return failToFollow();
};

describe('a network fee', () => {
  test('of a transaction with several payouts is booked once', async () => {
    const before = await house();
    await payOut(20, 30);
    await followCoins(context);
    await followCoins(context);
    expect((await house()).result).toBeCloseTo(before.result - 5, 5);
    expect(await movements('network_fee')).toBe(2);
  });

  test('does not delay the payout, and is polled until the gateway knows it', async () => {
    await pay(100);
    node.interferences.push({ call: 'getTransaction', with: { status: 404, body: {} } });
    await payOut(20);
    const before = await movements('network_fee');
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before);
    await failToReadFee();
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before + 1);
  });

  test('is booked after days without an answer, asked for ever less often', async () => {
    await pay(100);
    await followCoins(context);
    const before = await movements('network_fee');
    await payOut(20);
    await failToReadFee();
    world.clock.advance(3 * 24 * 3600);
    await failToReadFee();
    world.clock.advance(2 * 3600);
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before);
    world.clock.advance(2 * 3600);
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before + 1);
  });

  test('that cannot be read delays no other', async () => {
    await pay(100);
    await payOut(20);
    await payOut(21);
    const before = await movements('network_fee');
    await failToReadFee();
    expect(await movements('network_fee')).toBe(before + 1);
    world.clock.advance(60);
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before + 2);
  });

  test('is booked although the gateway names no rate', async () => {
    await pay(100);
    await payOut(20);
    const before = await movements('network_fee');
    nextHour();
    node.rate = '';
    await failToFollow();
    node.rate = '50000';
    expect(await movements('network_fee')).toBe(before + 1);
  });

  test('that is implausible is not booked, and is logged once', async () => {
    await pay(10_000);
    node.networkFee = '0.1';
    await payOut(20);
    const before = await movements('network_fee');
    const error = vi.spyOn(context.log, 'error');
    await followCoins(context);
    await followCoins(context);
    expect(error.mock.calls.map(([, words]) => words)).toEqual(['network fee is not plausible']);
    error.mockRestore();
    expect(await movements('network_fee')).toBe(before);
    node.networkFee = '0.00001';
    await followCoins(context);
    expect(await movements('network_fee')).toBe(before + 1);
  });

  test('that the gateway reports with the payout is booked when it completes', async () => {
    const row = await world.addApproved(50, 'BTC');
    await payWithdrawals(context);
    const { payout_id } = await world.withdrawal(row.id);
    world.clock.advance(5);
    const before = await house();
    const paid = { transaction: null, units: '0.00099', networkFeeMicros: usd(1.25) };
    const gateway = {
      ...world.gateway,
      getPayout: async () => ({ id: payout_id as string, state: 'completed' as const, ...paid }),
    };
    await followPayouts(context, [gateway]);
    expect((await house()).result).toBeCloseTo(before.result - 1.25, 6);
    // Fees in dollars are ignored here: a gateway that holds coins reports its fee in coins.
    expect((await house()).gateway).toBeCloseTo(before.gateway - 49 - 1.25, 6);
  });
});

describe('each hour', () => {
  test('the coins are valued at the rate of then, once', async () => {
    node.rate = '50000';
    nextHour();
    await followCoins(context);
    const before = { ...(await coins()), ...(await house()) };
    node.rate = '60000';
    await followCoins(context);
    expect(await coins()).toMatchObject({ booked: before.booked });
    nextHour();
    await followCoins(context);
    await followCoins(context);
    expect((await coins()).booked).toBeCloseTo(before.units * 60_000, 5);
    expect((await house()).result - before.result).toBeCloseTo(before.units * 10_000, 5);
    nextHour();
    node.rate = '45000';
    await followCoins(context);
    expect((await coins()).booked).toBeCloseTo(before.units * 45_000, 5);
    expect((await house()).result - before.result).toBeCloseTo(-before.units * 5000, 5);
  });

  test('nothing is booked without a rate, and the last valuation keeps its time', async () => {
    const before = await coins();
    nextHour();
    for (const rate of ['0', 'NaN', '']) {
      node.rate = rate;
      await failToFollow();
    }
    expect(await coins()).toEqual(before);
    node.rate = '45000';
    await followCoins(context);
    expect((await coins()).valuedAt).toEqual(context.now());
  });

  test('a rate far from the last is booked only when the next hour confirms it', async () => {
    nextHour();
    node.rate = '4500';
    await followCoins(context);
    world.clock.advance(600);
    await followCoins(context);
    expect((await coins()).rate).toBe('45000');
    nextHour();
    node.rate = '450000';
    await followCoins(context);
    expect((await coins()).rate).toBe('45000');
    nextHour();
    node.rate = '440000';
    await followCoins(context);
    expect((await coins()).rate).toBe('440000');
    nextHour();
    node.rate = '50000';
    await followCoins(context);
    nextHour();
    await followCoins(context);
    expect((await coins()).rate).toBe('50000');
  });
});

test('a sent payout is added to gateway reports until it is booked', async () => {
  node.wallets.set('BTC-CHAIN', '1');
  const { id } = await world.addApproved(100, 'BTC');
  const before = (await reportGateways(context)) as bigint;
  await payWithdrawals(context);
  expect(await reportGateways(context)).toBe(before);
  const payout = (await world.withdrawal(id)).payout_id as string;
  node.sendPayout(payout);
  node.wallets.set('BTC-CHAIN', new Decimal(1).minus(node.payouts.at(-1)?.amount ?? 0).toFixed());
  expect(Number((await reportGateways(context)) as bigint) / 1e6).toBeCloseTo(Number(before) / 1e6, 2);
  node.completePayout(payout);
  world.clock.advance(5);
  await followPayouts(context);
  expect(Number((await reportGateways(context)) as bigint) / 1e6).toBeCloseTo(Number(before) / 1e6 - 99, 2);
  node.wallets.set('BTC-CHAIN', '0');
});

test('nor is what was paid by hand, or is complete without a transaction', async () => {
  const decide = async (id: bigint) => [context, actorOf(world.finance), await world.seen(id, world.finance)] as const;
  const before = (await reportGateways(context)) as bigint;
  const { id: byHand } = await world.addApproved(100, 'BTC');
  await takeWithdrawal(...(await decide(byHand)));
  expect(await reportGateways(context)).toBe(before);
  const [, actor, seen] = await decide(byHand);
  await sendWithdrawal(context, actor, { ...seen, transaction: 'cd'.repeat(32) });
  expect(await reportGateways(context)).toBe(before + usd(99));
  await completeWithdrawal(...(await decide(byHand)));
  expect(await reportGateways(context)).toBe(before);

  const { id } = await world.addApproved(100, 'BTC');
  await payWithdrawals(context);
  node.completePayout((await world.withdrawal(id)).payout_id as string);
  Object.assign(node.payouts.at(-1) ?? {}, { transaction: null });
  expect(await reportGateways(context)).toBe(before + usd(99));
  world.clock.advance(5);
  await followPayouts(context);
  expect(await reportGateways(context)).toBe(before);
});

describe('at a rate far from the last', () => {
  test('nothing is credited until the gateway is itself again', async () => {
    const deposit = await confirmed(100, memberId);
    node.rate = '500000';
    await expect(look(deposit)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    expect(await world.find(deposit.id)).toMatchObject({ state: 'created', booked_micros: 0n });
    node.rate = '50000';
    await look(deposit);
    expect(await world.find(deposit.id)).toMatchObject({ state: 'credited', credited_micros: usd(100) });
  });

  test('nothing is paid out until the next hour confirms it', async () => {
    const { id } = await world.addApproved(100, 'BTC');
    const before = node.payouts.length;
    node.rate = '20000';
    expect(await payWithdrawals(context)).toBe(0);
    expect(node.payouts.length).toBe(before);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null });
    nextHour();
    await followCoins(context);
    expect(await payWithdrawals(context)).toBe(0);
    nextHour();
    await followCoins(context);
    expect(await payWithdrawals(context)).toBe(1);
    expect(node.payouts.at(-1)?.amount).toBe('0.00495000');
    node.rate = '50000';
    for (let hour = 0; hour < 2; hour += 1) {
      nextHour();
      await followCoins(context);
    }
  });
});

test('a payment or refund by hand removes coins at their book value', async () => {
  const before = await coins();
  const price = before.booked / before.units;
  const row = await world.addApproved(100, 'BTC');
  const who = actorOf(world.finance);
  await takeWithdrawal(context, who, await world.seen(row.id));
  await sendWithdrawal(context, who, { ...(await world.seen(row.id)), transaction: 'ab'.repeat(32) });
  await completeWithdrawal(context, who, await world.seen(row.id));
  expect((await coins()).units).toBeCloseTo(before.units - 99 / price, 7);

  const late = await world.addDeposit(100, memberId);
  world.clock.advance(16 * 60);
  node.expire(late.invoice_id as string);
  await look(late);
  node.pay(late.invoice_id as string, 100);
  node.confirm(late.invoice_id as string);
  await look(late);
  const { units, booked } = await coins();
  expect(booked).toBeCloseTo(before.booked - 99 + 100, 5);
  const { version } = await world.find(late.id);
  const review = { decision: 'refund', version, reason: 'Late.', transaction: 'cd'.repeat(32) } as const;
  await decideDeposit(context, who, late.id, { ...review, otp: await world.finance.code() });
  expect(await coins()).toMatchObject({ booked: booked - 100 });
  expect((await coins()).units).toBeLessThan(units);
});

type House = Awaited<ReturnType<typeof getHouseBalances>>;
type Act = { readonly do: 'pay' | 'payOut' | 'fee' | 'rate' | 'hour'; readonly size: number };
const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    do: fc.constantFrom<Act['do']>('pay', 'pay', 'payOut', 'fee', 'rate', 'hour'),
    size: fc.integer({ min: 10, max: 2000 }),
  }),
  { minLength: 3, maxLength: 12 },
);

test('a payout that a person says has arrived takes the coins that were ordered, whatever they are worth by then', async () => {
  node.rate = '50000';
  nextHour();
  await followCoins(context);
  node.interferences.push(
    { call: 'createPayout', with: 'do_and_break' },
    { call: 'listPayouts', with: { status: 200, body: [] } },
  );
  const { id } = await world.addApproved(100, 'BTC');
  await payWithdrawals(context);
  nextHour();
  node.interferences.push({ call: 'listPayouts', with: { status: 200, body: [] } });
  await followPayouts(context);
  expect((await world.withdrawal(id)).state).toBe('uncertain');
  node.rate = '60000';
  await followCoins(context);
  const before = await coins();
  const said = { ...(await world.seen(id)), outcome: 'completed', transaction: 'abcdef1234' } as const;
  await resolveWithdrawal(context, actorOf(world.finance), said);
  expect(before.units - (await coins()).units).toBeCloseTo(0.00198, 8);
});

test('in any sequence, the gateway balance is the coins’ book value, and apart from fees only gateway_result changes the surplus', async () => {
  const othersOf = ({ gateway, unallocated, gateway_result, withdrawal_fees, ...others }: House) => others;
  const work = {
    pay: (size: number) => pay(size),
    payOut: (size: number) => payOut(20 + size / 8),
    fee: async (size: number) => Object.assign(node, { networkFee: (size / 1e7).toFixed(8) }),
    rate: async (size: number) => Object.assign(node, { rate: String(30_000 + size * 15) }),
    hour: async () => nextHour(),
  };
  await pay(2000);
  const apart = (await house()).gateway - (await coins()).booked;
  const before = await getHouseBalances(context.db);
  await fc.assert(
    fc.asyncProperty(acts, async (steps) => {
      for (const step of steps) {
        await work[step.do](step.size);
        await followCoins(context);
      }
      expect((await house()).gateway - (await coins()).booked).toBeCloseTo(apart, 5);
      expect(othersOf(await getHouseBalances(context.db))).toEqual(othersOf(before));
      expect(await world.findings()).toEqual([]);
      // A day on, so that nobody's limits are reached.
      world.clock.advance(24 * 3600);
    }),
    { numRuns: runs(15) },
  );
}, 120_000);
