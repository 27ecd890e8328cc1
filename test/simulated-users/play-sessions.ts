import { strict as assert } from 'node:assert';
import { sql } from 'kysely';
import { symbols } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { runMarket } from '#server/income/index.ts';
import { getHouseBalances, memberAccount, postFrom, verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket, getMarketTime } from '#server/market/index.ts';
import { closeTrade } from '#server/trading/index.ts';
import { dice } from '#test/kit/dice.ts';
import { type Recording, readRows } from '#test/recorded/recordings.ts';
import { addFundedMembers } from '../faults/simulated-users.ts';
import { checkIncomes } from '../income/check-incomes.ts';
import { type Day, dayOf, type ModelPlan, type ModelTrade, type Outcome, planOutcome, tradeOutcome } from './model.ts';

/**
 * A thousand members with mixed trades, stops and plans over recorded sessions: every result is recalculated
 * independently from the candles (model.ts), and the ledger must balance.
 */
const MEMBERS = 1000;
const PLANS = 300;
const HOUR = 3_600_000;

const someStops = (roll: (sides: number) => number) => ({
  loss: roll(3) === 0 ? 2 + roll(30) : null,
  profit: roll(3) === 0 ? 3 + roll(40) : null,
  trailing: roll(3) === 0 ? 2 + roll(25) : null,
});

type Placed = ModelTrade & { readonly memberId: number };

function throwTrades(roll: (sides: number) => number, requestedAt: number, count: number): Placed[] {
  return Array.from({ length: count }, (_, index) => ({
    memberId: 2 + (index % MEMBERS),
    symbol: symbols[roll(16)] as string,
    amount: BigInt(5_000_000 + roll(90_000_000)),
    requestedAt,
    stops: someStops(roll),
  }));
}

/** Inserts trades as `placeTrade` does, in one statement. @returns their ids, in order */
async function place(context: Context, trades: readonly Placed[]): Promise<bigint[]> {
  return inTransaction(context.db, async (tx) => {
    const rows = trades.map(({ memberId, symbol, amount, requestedAt, stops }) => ({
      memberId,
      symbol,
      amount: Number(amount),
      at: new Date(requestedAt).toISOString(),
      ...stops,
    }));
    const { rows: ids } = await sql<{ id: bigint }>`
      insert into trading.trade (member_id, symbol, wallet, amount, placed_at, requested_at, stop_loss_permille, take_profit_permille, trailing_stop_permille)
      select "memberId", symbol, 'primary', amount, now(), at, loss, profit, "trailing"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t("memberId" bigint, symbol text, amount bigint, at timestamptz, loss int, profit int, "trailing" int)
      returning id`.execute(tx);
    await postFrom(
      tx,
      sql`select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'trade_escrow')}, amount,
        'trade_place', 'trade ' || id, requested_at, null::text from trading.trade where id = any(${ids.map(({ id }) => id)}::bigint[]) order by id`,
    );
    return ids.map(({ id }) => id);
  });
}

type Planned = ModelPlan & { readonly memberId: number; readonly amount: bigint };

function throwPlans(roll: (sides: number) => number): Planned[] {
  const settings = [
    { strategy: 'session_hold', params: {} },
    { strategy: 'momentum', params: { period: 20 } },
    { strategy: 'momentum', params: { period: 8 } },
    { strategy: 'mean_reversion', params: { period: 20, atr_multiple: 1 } },
    { strategy: 'mean_reversion', params: { period: 10, atr_multiple: 0.5 } },
  ];
  return Array.from({ length: PLANS }, (_, index) => ({
    memberId: 2 + ((index * 7) % MEMBERS),
    symbol: symbols[roll(16)] as string,
    ...(settings[roll(settings.length)] as (typeof settings)[number]),
    amount: BigInt(50_000_000 + roll(400_000_000)),
    compounding: roll(2) === 0,
    stops: roll(2) === 0 ? someStops(roll) : { loss: null, profit: null, trailing: null },
  }));
}

async function invest(context: Context, plans: readonly Planned[], at: Date): Promise<void> {
  const rows = plans.map(({ amount, stops, ...plan }) => ({ ...plan, ...stops, amount: Number(amount) }));
  await inTransaction(context.db, async (tx) => {
    await sql`
      insert into trading.plan (member_id, symbol, strategy, params, wallet, amount, compounding, stop_loss_permille, take_profit_permille,
        trailing_stop_permille, created_at, created_market_at)
      select "memberId", symbol, strategy, params, 'primary', amount, compounding, loss, profit, "trailing", now(), ${at}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p("memberId" bigint, symbol text, strategy text, params jsonb,
        amount bigint, compounding boolean, loss int, profit int, "trailing" int)`.execute(tx);
    await postFrom(
      tx,
      sql`select 'plan/' || id || '/invest', ${memberAccount(sql`member_id`, 'primary')}, ${memberAccount(sql`member_id`, 'investment')}, amount,
        'plan_invest', 'plan ' || id, created_market_at, null::text from trading.plan order by id`,
    );
  });
}

/** Plays in jumps that skip no price, and follows the market after each. */
async function play(context: Context, untilMs: number): Promise<void> {
  for (;;) {
    const nowMs = (await getMarketTime(context.db)).getTime();
    if (nowMs >= untilMs) return;
    await advanceMarket(context, { elapsedMs: 0, skipTo: new Date(Math.min(untilMs, nowMs + 900_000)) });
    await runMarket(context);
  }
}

type StoredTrade = { id: bigint; plan_id: bigint | null } & Outcome;

async function listSettled(context: Context, day: number): Promise<StoredTrade[]> {
  return listRows(context.db)<StoredTrade>`
    select id, plan_id, extract(epoch from opened_at)::float8 * 1000 as "openedAt", extract(epoch from closed_at)::float8 * 1000 as "closedAt",
      close_reason as reason, fee, gross, performance_fee as "performanceFee", result
    from trading.trade where state = 'settled' and session_day = ${new Date(day).toISOString().slice(0, 10)}::date order by id`;
}

const outcomeOf = ({ id: _id, plan_id: _plan, ...outcome }: StoredTrade): Outcome => outcome;

/** Opens a world on an empty database with these settings. */
export type OpenWorld = (env: Record<string, string>) => Promise<{ context: Context; close: () => Promise<void> }>;

/**
 * Plays the sessions of these openings. Throws an AssertionError at the first wrong result, balance or seal.
 *
 * @returns the number of settled trades
 */
export async function playSessions(
  openWorld: OpenWorld,
  { folder, stepMs }: Recording,
  opens: readonly number[],
): Promise<number> {
  const first = opens[0] as number;
  const { context, close } = await openWorld({
    MARKET_FEED: 'replay',
    REPLAY_DATA: folder,
    MARKET_START: new Date(first - HOUR / 4).toISOString(),
  });
  const recorded = new Map(symbols.map((symbol) => [symbol, readRows(folder, symbol)]));
  const roll = dice(7);
  await addFundedMembers(context, MEMBERS);
  const plans = throwPlans(roll);
  await invest(context, plans, new Date(first - HOUR / 4));
  const cash = plans.map((plan) => plan.amount);
  let result = 0n;
  let count = 0;
  for (const opensAt of opens) {
    await play(context, opensAt - HOUR / 6);
    const day = dayOf(recorded, stepMs, opensAt);
    const expected = await playSession(context, day, roll);
    const settled = await listSettled(context, opensAt);
    const byId = new Map(settled.map((trade) => [trade.id, outcomeOf(trade)]));
    assert.deepEqual(new Map([...expected].map(([id]) => [id, byId.get(id)])), expected);
    for (const [index, plan] of plans.entries()) {
      const { trades, cash: left } = planOutcome(day, plan, cash[index] as bigint);
      const own = settled.filter((trade) => trade.plan_id === BigInt(index + 1)).map(outcomeOf);
      assert.deepEqual({ index, plan, trades: own }, { index, plan, trades });
      cash[index] = left;
    }
    for (const trade of settled) result += trade.result;
    count += settled.length;
  }
  await checkBooks(context, cash, result);
  await close();
  return count;
}

/** One session: trades from before and after its opening, some closed by hand. @returns the expected outcomes */
async function playSession(context: Context, day: Day, roll: (sides: number) => number): Promise<Map<bigint, Outcome>> {
  const early = throwTrades(roll, day.opensAt - HOUR / 6, MEMBERS);
  const earlyIds = await place(context, early);
  const laterAt = day.opensAt + 1.5 * HOUR + 5 * 60_000;
  await play(context, laterAt);
  const later = throwTrades(roll, laterAt, 100);
  const laterIds = await place(context, later);
  const closeAt = day.opensAt + 3 * HOUR + 7 * 60_000 + 1000;
  await play(context, closeAt);
  const closed = new Set<bigint>();
  for (const [index, id] of laterIds.entries()) {
    const isOpen =
      (
        await sql`select 1 from trading.trade where id = ${id} and state = 'open' and close_requested_at is null`.execute(
          context.db,
        )
      ).rows.length > 0;
    if (index % 4 !== 0 || !isOpen) continue;
    await closeTrade(context, BigInt((later[index] as Placed).memberId), id);
    closed.add(id);
  }
  await play(context, day.closesAt + 60_000);
  return new Map([
    ...early.map((trade, index) => [earlyIds[index] as bigint, tradeOutcome(day, trade)] as const),
    ...later.map((trade, index) => {
      const id = laterIds[index] as bigint;
      return [id, tradeOutcome(day, closed.has(id) ? { ...trade, closeRequestedAt: closeAt } : trade)] as const;
    }),
  ]);
}

async function checkBooks(context: Context, cash: readonly bigint[], result: bigint): Promise<void> {
  const { rows } = await sql<{ all: bigint; investment: bigint; escrow: bigint }>`
    select sum(balance)::bigint as all, sum(balance) filter (where class = 4)::bigint as investment,
      sum(balance) filter (where class = 3)::bigint as escrow from ledger.account where class <> 0`.execute(context.db);
  assert.deepEqual(await checkIncomes(context.db), []);
  assert.deepEqual(rows[0], {
    all: BigInt(MEMBERS) * 10_000_000_000n + result + (await sumIncomes(context.db)),
    investment: cash.reduce((sum, part) => sum + part, 0n),
    escrow: 0n,
  });
  assert.equal((await getHouseBalances(context.db)).venue, 0n);
  assert.deepEqual(await verifyLedger(context.db), []);
}

/** Members' income from fees, which `checkIncomes` has verified. */
async function sumIncomes(db: Db): Promise<bigint> {
  const { rows } = await sql<{ micros: bigint }>`
    select coalesce(sum(amount), 0)::bigint as micros from ledger.transfer
    where reason in ('referral_bonus', 'level_bonus', 'team_profit', 'weekly_income', 'monthly_income')`.execute(db);
  return rows[0]?.micros ?? 0n;
}
