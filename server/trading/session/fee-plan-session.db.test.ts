import { expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { toMicros } from '#contract/money.ts';
import { findRow } from '#server/db/rows.ts';
import { findFeePlans, getFeePlan, getFees } from '#server/fee-plans/index.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { runBacktest } from '../backtest/run-backtest.ts';
import { settle, tradeFee } from '../core/settlement.ts';
import { getPortfolio } from '../index.ts';
import { getTrade } from '../orders/get-trade.ts';

/** btc goes up by 10 in every session's third hour, and down again at night: every trade gains. */
const world = closeAfterAll(
  await openTradingWorld({
    from: '2026-03-03T00:00:00Z',
    minutes: 4 * 1440,
    candle: (_, at) => still(at.getUTCHours() >= 15 && at.getUTCHours() < 18 ? '110' : '100'),
    speed: 3600,
  }),
);

const write = async (change: Partial<FeePlanTerms>, note: string) =>
  Number((await writeFeePlan(world.context, { ...firstFeePlan, ...change }, { note })).id);
const planOf = (day: string) => findRow(world.context.db)<{ id: number; trade: number; performance: number }>`
    select fee_plan_id as id, trade_fee_bps as trade, performance_fee_bps as performance
    from trading.session where day = ${day}::date`;
/** The member's trades from the first, fees in micros. */
const fees = async () =>
  (await world.trades())
    .reverse()
    .map(({ fee, performance_fee }) => [fee && toMicros(fee), performance_fee && toMicros(performance_fee)]);
/** What a trade of 100 dollars costs by core under these rates. */
function costs(tradeBps: number, performanceBps: number) {
  const fee = tradeFee(100_000_000n, tradeBps);
  const { performanceFee } = settle({
    amount: 100_000_000n,
    fee,
    openPrice: '100.05',
    closePrice: '109.945',
    performanceBps,
  });
  return [fee, performanceFee];
}

let written: number[];

test('a session has no plan before it opens, and takes the newest when it does', async () => {
  await world.play('04T12:25:00');
  await world.place();
  written = [await write({ trade_fee_bps: 90 }, 'Dear.'), await write({ trade_fee_bps: 50 }, 'Less dear.')];
  expect(await planOf('2026-03-04')).toEqual({ id: null, trade: null, performance: null });
  await world.play('04T13:00:00');
  expect(await planOf('2026-03-04')).toEqual({ id: written[1], trade: 50, performance: 1000 });
  expect(await getFees(world.context.db)).toMatchObject({ current: { id: String(written[1]) }, next: null });
});

test('a plan written while a session is open changes nothing in it: trades open, are shown and settle under the session’s own', async () => {
  const next = await write({ trade_fee_bps: 10, performance_fee_bps: 3000 }, 'For tomorrow.');
  written.push(next);
  const placed = await world.place();
  await world.play('04T15:30:00');
  expect(await findFeePlans(world.context.db)).toMatchObject({ current: { id: written[1] }, next: { id: next } });
  expect(await getFees(world.context.db)).toMatchObject({
    current: { id: String(written[1]), state: 'current' },
    next: { id: String(next), state: 'next', note: 'For tomorrow.' },
  });
  const [fee, performance] = costs(50, 1000) as [bigint, bigint];
  // What it would give now: 10 % of the gain is the house's, not 30.
  const { positions } = await getPortfolio(world.context, world.memberId);
  expect(positions.map(({ live }) => live && toMicros(live.result))).toEqual([
    settledResult(fee, 1000),
    settledResult(fee, 1000),
  ]);
  expect(await getTrade(world.context, world.memberId, BigInt(placed.id))).toMatchObject({
    rates: { trade_bps: 50, performance_bps: 1000 },
  });
  await world.play('04T17:40:00');
  expect(await fees()).toEqual([
    [fee, performance],
    [fee, performance],
  ]);
  expect(await planOf('2026-03-04')).toEqual({ id: written[1], trade: 50, performance: 1000 });
});

const settledResult = (fee: bigint, performanceBps: number) =>
  settle({ amount: 100_000_000n, fee, openPrice: '100.05', closePrice: '109.945', performanceBps }).result;

test('backtests are played under the current plan until the next session opens', async () => {
  expect(await backtestRates()).toEqual([0.5, 10]);
});

test('the next session takes the newest plan, and what was placed before it pays that one', async () => {
  await world.place();
  await world.play('05T17:40:00');
  expect((await fees())[2]).toEqual(costs(10, 3000));
  expect(await planOf('2026-03-05')).toEqual({ id: written[2], trade: 10, performance: 3000 });
  expect(await findFeePlans(world.context.db)).toMatchObject({ current: { id: written[2] }, next: undefined });
  expect(await backtestRates()).toEqual([0.1, 30]);
  expect(await verifyLedger(world.context.db)).toEqual([]);
});

test('a plan stays readable by the id a session carries, and an id nobody carries is a fault', async () => {
  const old = await getFeePlan(world.context.db, written[1] as number);
  expect(old).toMatchObject({ id: written[1], tradeFeeBps: 50, note: 'Less dear.', withdrawalFeeMin: 1_000_000n });
  await expect(getFeePlan(world.context.db, 999_999)).rejects.toThrow('fee plan 999999 exists');
});

async function backtestRates() {
  const answer = await runBacktest(world.context, world.memberId, {
    symbols: ['btc'],
    strategy: 'session_hold',
    from: '2026-03-04',
    to: '2026-03-04',
    amount: 100,
    wallet_type: 'primary',
    compounding: false,
  });
  return [answer.trade_fee_percent, answer.performance_fee_percent];
}
