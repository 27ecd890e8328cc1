import { sql } from 'kysely';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { type SettledTrade, settleSession } from '#test/worlds/settled-session.ts';
import { COUNTED_ONCE, type PeriodRule, SHARED_POOL } from '../core/contribution.ts';
import { payDue } from './pay-due.ts';

/**
 * Worlds with weeks and months calculated by hand. They only contain the company and a market clock: generating a
 * market history would take longer than the tests. `close` ends them all.
 */
export function periodWorlds() {
  const opened: Database[] = [];
  return {
    /**
     * By the first rule (docs/product.md, section 6), or by the second from a day on: from the first where it is not
     * named.
     */
    open: async (start: string, { countedOnce }: { readonly countedOnce?: string | true } = {}): Promise<Context> => {
      const { database, context } = await bootWithoutMarket(`${start}T00:00:00Z`);
      opened.push(database);
      if (countedOnce !== true) await setRule(context, '1970-01-02', SHARED_POOL);
      if (typeof countedOnce === 'string') await setRule(context, countedOnce, COUNTED_ONCE);
      return context;
    },
    close: async () => {
      for (const database of opened) await database.close();
    },
  };
}

/** Weeks and months that begin on this day or later are computed by a rule. */
const setRule = (context: Context, beginsOn: string, rule: PeriodRule) =>
  sql`insert into income.period_rule (begins_on, rule) values (${beginsOn}::date, ${rule}::smallint)`.execute(
    context.db,
  );

export const dollars = (amount: number): bigint => BigInt(Math.round(amount * 1e6));

/** A trade with equal entry and close prices, which only yields a trade fee. */
export const even = (memberId: bigint, amount: number): SettledTrade => ({ memberId, micros: dollars(amount) });

export async function moveClock(context: Context, at: string): Promise<void> {
  await sql`update market.clock set at = ${at}::timestamptz`.execute(context.db);
}

/** A settled session, with everything due at its close. */
export async function playDay(
  context: Context,
  day: string,
  trades: readonly SettledTrade[],
  planId = 1,
): Promise<void> {
  await moveClock(context, `${day}T12:20:00Z`);
  await payDue(context);
  await settleSession(context, day, trades, planId);
  await moveClock(context, `${day}T17:30:00Z`);
  await payDue(context);
}

/** Advances the market to midnight of a day, and pays what ended before. */
export async function reachDay(context: Context, day: string): Promise<void> {
  await moveClock(context, `${day}T00:00:00Z`);
  await payDue(context);
}

/** Another fee plan. @returns its id */
export async function writePlan(context: Context, terms: Partial<typeof firstFeePlan>): Promise<number> {
  return Number((await writeFeePlan(context, { ...firstFeePlan, ...terms })).id);
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows of every shape
type Rows = any[];

export const read = async (context: Context, query: ReturnType<typeof sql>): Promise<Rows> =>
  (await query.execute(context.db)).rows;

/** Lines of a week by member: nominal and paid amounts, or the reason for nothing. */
export const weekLines = (context: Context, week: string): Promise<Rows> =>
  read(
    context,
    sql`select member_id, volume, active_directs, nominal, paid, reason from income.weekly_line where week = ${week}::date order by member_id`,
  );

export const monthLines = (context: Context, month: string): Promise<Rows> =>
  read(
    context,
    sql`select member_id, rank, team_volume, volume, contributed, nominal, paid, reason from income.monthly_line
      where month = ${month}::date order by member_id`,
  );

export const findPeriod = async (
  context: Context,
  kind: 'weekly' | 'monthly',
  startsOn: string,
): Promise<Rows[number]> =>
  (
    await read(
      context,
      sql`select state, pool, carried, total::text, qualified, paid, last_session::text, fee_plan_id, ran_at, inputs_hash, outputs_hash
        from income.period_run where kind = ${kind} and starts_on = ${startsOn}::date`,
    )
  )[0];

/** All stored results of weeks, months and rewards, without values that differ between runs. */
export async function readPeriodBooks(context: Context): Promise<Record<string, Rows>> {
  return {
    runs: await read(
      context,
      sql`select kind, starts_on::text, state, pool, carried, total::text, qualified, paid, inputs_hash, outputs_hash
        from income.period_run order by starts_on, kind`,
    ),
    blocks: await read(
      context,
      sql`select kind, starts_on::text, no, encode(hash, 'hex') as hash, lines, paid from income.period_block order by 1, 2, 3`,
    ),
    weeks: await read(context, sql`select * from income.weekly_line order by week, member_id`),
    months: await read(context, sql`select * from income.monthly_line order by month, member_id`),
    legs: await read(context, sql`select * from income.month_leg order by month, sponsor_id, member_id`),
    growth: await read(context, sql`select * from income.growth order by week, member_id`),
    rewards: await read(
      context,
      sql`select member_id, rank, month::text, nominal, state from income.reward order by member_id, rank`,
    ),
    transfers: await read(
      context,
      sql`select key, from_account, to_account, amount, reason, reference from ledger.transfer
        where reason in ('weekly_income', 'monthly_income', 'reward') order by key collate "C"`,
    ),
    messages: await read(
      context,
      sql`select member_id, kind, message from notify.notification
        where kind in ('weekly_income', 'monthly_income', 'reward_claimable', 'reward_paid') order by member_id, kind, message`,
    ),
  };
}
