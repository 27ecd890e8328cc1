import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { listResultDays, listSettledTrades, sumResults, sumResultsBetween } from './list-results.ts';

const database = closeAfterAll(await openTestDatabase());
const ANN = 1n;
const BOB = 2n;

/** A plan of a member; trades of it are told apart by whether it compounds. */
async function insertPlan(memberId: bigint, compounding: boolean): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, created_at, created_market_at)
    values (${memberId}, 'btc', 'session_hold', '{}', 'primary', 10000000, ${compounding}, now(), '2026-03-01T00:00:00Z')
    returning id`.execute(database.db);
  return (rows[0] as { id: bigint }).id;
}

type Trade = {
  memberId: bigint;
  day: string;
  result: bigint;
  plan?: { id: bigint; compounding: boolean };
  state?: 'open' | 'settled';
};

/** A trade of 10 $ with a fee of 0.04 $; settled, unless it says otherwise, at what gives the result. */
async function insertTrade({ memberId, day, result, plan, state = 'settled' }: Trade): Promise<bigint> {
  const isSettled = state === 'settled';
  const { rows } = await sql<{ id: bigint }>`
    insert into trading.trade (member_id, symbol, wallet, plan_id, compounding, state, amount, placed_at, requested_at, session_day,
      fee, opened_at, open_price, closed_at, close_price, close_reason, gross, performance_fee, result)
    values (${memberId}, 'btc', ${plan ? 'investment' : 'primary'}, ${plan?.id ?? null}, ${plan?.compounding ?? null}, ${state},
      10000000, now(), ${`${day}T12:30:00Z`}::timestamptz, ${day}::date, 40000, ${`${day}T12:31:00Z`}::timestamptz, 100,
      case when ${isSettled} then ${`${day}T17:30:00Z`}::timestamptz end, case when ${isSettled} then 100 end,
      case when ${isSettled} then 'session_close' end, case when ${isSettled} then ${result}::bigint + 40000 end,
      case when ${isSettled} then 0 end, case when ${isSettled} then ${result}::bigint end)
    returning id`.execute(database.db);
  return (rows[0] as { id: bigint }).id;
}

/** The sums of a session as settling keeps them. */
async function insertDay(memberId: bigint, day: string, own: readonly bigint[], compounding: readonly bigint[]) {
  const sum = (results: readonly bigint[]) => results.reduce((total, result) => total + result, 0n);
  await sql`
    insert into trading.daily_result (member_id, session_day, trades, winning, losing, volume, result, trade_fees, performance_fees,
      best_result, best_trade_id, worst_result, worst_trade_id, compounding_trades, compounding_volume, compounding_result)
    values (${memberId}, ${day}::date, ${own.length + compounding.length}, 0, 0, 1, ${sum(own) + sum(compounding)}, 0, 0, 0, 1, 0, 1,
      ${compounding.length}, 1, ${sum(compounding)})`.execute(database.db);
}

const trades: Record<'own' | 'resting' | 'growing' | 'late', bigint[]> = {
  own: [],
  resting: [],
  growing: [],
  late: [],
};

beforeAll(async () => {
  const resting = { id: await insertPlan(ANN, false), compounding: false };
  const growing = { id: await insertPlan(ANN, true), compounding: true };
  const late = { id: await insertPlan(ANN, true), compounding: true };
  const foreign = { id: await insertPlan(BOB, true), compounding: true };
  for (const day of ['2026-02-27', '2026-03-01', '2026-03-02', '2026-03-04']) {
    trades.own.push(await insertTrade({ memberId: ANN, day, result: 5n }));
    trades.resting.push(await insertTrade({ memberId: ANN, day, result: -2n, plan: resting }));
    trades.growing.push(await insertTrade({ memberId: ANN, day, result: -7n, plan: growing }));
    trades.late.push(await insertTrade({ memberId: ANN, day, result: 11n, plan: late }));
    await insertTrade({ memberId: BOB, day, result: 1000n });
    await insertTrade({ memberId: BOB, day, result: 1000n, plan: foreign });
    await insertDay(ANN, day, [5n, -2n], [-7n, 11n]);
    await insertDay(BOB, day, [1000n], [1000n]);
  }
  await insertTrade({ memberId: ANN, day: '2026-03-05', result: 0n, state: 'open' });
  await insertDay(ANN, '2026-02-20', [-100n], []);
  await insertDay(ANN, '2026-02-21', [], [50n]);
});

const newestFirst = (ids: readonly bigint[]) => [...ids].sort((one, other) => (one < other ? 1 : -1));

/** All pages of a list, each asked for with the last id of the one before. */
async function readPages(kind: 'trade' | 'compounding', limit: number): Promise<bigint[]> {
  const seen: bigint[] = [];
  while (true) {
    const page = await listSettledTrades(database.db, { memberId: ANN, kind, before: seen.at(-1), limit });
    seen.push(...page.map(({ id }) => id));
    if (page.length < limit) return seen;
  }
}

test.each([1, 3, 50])('settled trades of a kind, newest first, each once, in pages of %i', async (limit) => {
  expect(await readPages('trade', limit)).toEqual(newestFirst([...trades.own, ...trades.resting]));
  expect(await readPages('compounding', limit)).toEqual(newestFirst([...trades.growing, ...trades.late]));
});

test('a settled trade carries its session, amount, fees and result', async () => {
  const [newest] = await listSettledTrades(database.db, {
    memberId: ANN,
    kind: 'compounding',
    before: undefined,
    limit: 1,
  });
  expect(newest).toEqual({
    id: trades.late.at(-1),
    sessionDay: '2026-03-04',
    symbol: 'btc',
    amount: 10_000_000n,
    fee: 40_000n,
    performanceFee: 0n,
    result: 11n,
    closedAt: new Date('2026-03-04T17:30:00Z'),
  });
});

test('sums of today, week, month and lifetime, compounding apart from all others', async () => {
  const since = { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' };
  expect(await sumResults(database.db, ANN, since)).toEqual({
    trade: { today: 3n, week: 6n, month: 9n, lifetime: -88n },
    compounding: { today: 4n, week: 8n, month: 12n, lifetime: 66n },
  });
});

test('who never traded has sums of 0', async () => {
  const since = { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' };
  const nothing = { today: 0n, week: 0n, month: 0n, lifetime: 0n };
  expect(await sumResults(database.db, 3n, since)).toEqual({ trade: nothing, compounding: nothing });
  expect(await sumResultsBetween(database.db, 3n, {})).toEqual({ trade: 0n, compounding: 0n });
});

test('both days of a period are in it', async () => {
  expect(await sumResultsBetween(database.db, ANN, { from: '2026-02-21', to: '2026-03-01' })).toEqual({
    trade: 6n,
    compounding: 58n,
  });
});

test('days of a kind are those on which trades of it were settled, newest first', async () => {
  const days = async (kind: 'trade' | 'compounding', query: { to?: string; before?: string; limit: number }) =>
    (await listResultDays(database.db, { memberId: ANN, kind, ...query })).map(({ day, trades: count, result }) => [
      day,
      count,
      result,
    ]);
  expect(await days('trade', { to: '2026-03-02', limit: 10 })).toEqual([
    ['2026-03-02', 2, 3n],
    ['2026-03-01', 2, 3n],
    ['2026-02-27', 2, 3n],
    ['2026-02-20', 1, -100n],
  ]);
  expect(await days('compounding', { before: '2026-03-01', limit: 10 })).toEqual([
    ['2026-02-27', 2, 4n],
    ['2026-02-21', 1, 50n],
  ]);
  expect(await days('trade', { limit: 1 })).toEqual([['2026-03-04', 2, 3n]]);
});
