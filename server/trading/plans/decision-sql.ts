import { type RawBuilder, sql } from 'kysely';
import type { ReasonCode, ReasonFacts, StrategyName, StrategyParams } from '#contract/trading/strategy.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';

/** The shared key of plans: one decision serves all plans with the same setting. */
export type PlanSetting = { readonly symbol: string; readonly strategy: StrategyName; readonly params: StrategyParams };

export type StoredDecision = PlanSetting & {
  readonly side: 'entry' | 'exit';
  readonly action: 'enter' | 'exit' | 'wait';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};

/** The settings of all plans that may trade or have an open trade. */
export const listSettings = (db: Db) =>
  listRows(db)<PlanSetting>`
    select symbol, strategy, params from trading.plan where state = 'active'
    union
    select p.symbol, p.strategy, p.params from trading.trade t join trading.plan p on p.id = t.plan_id
    where t.state = 'open' and t.plan_id is not null
    order by symbol, strategy, params`;

/** Settings as a relation `symbol, strategy, params`. */
export const settingRows = (settings: readonly PlanSetting[]): RawBuilder<unknown> => sql`
  (select s.symbol, s.strategy, s.params
  from jsonb_to_recordset(${JSON.stringify(settings.map(({ symbol, strategy, params }) => ({ symbol, strategy, params })))}::jsonb)
    as s(symbol text, strategy text, params jsonb))`;

/** The first decision of a setting at a boundary stays. */
export const insertDecisions = (db: Db, day: string, at: Date, decisions: readonly StoredDecision[]) =>
  execute(db)`
    insert into trading.decision (session_day, at, symbol, strategy, params, side, action, reason, facts)
    select ${day}::date, ${at}::timestamptz, d.symbol, d.strategy, d.params, d.side, d.action, d.reason, d.facts
    from jsonb_to_recordset(${JSON.stringify(decisions)}::jsonb)
      as d(symbol text, strategy text, params jsonb, side text, action text, reason text, facts jsonb)
    on conflict do nothing`;

/** At a boundary, of these settings. Each is looked up by the key; by the instant alone, all decisions would be read. */
export const listDecisionsAt = (db: Db, settings: readonly PlanSetting[], at: Date) =>
  listRows(db)<StoredDecision>`
    select d.symbol, d.strategy, d.params, d.side, d.action, d.reason, d.facts
    from ${settingRows(settings)} as w
    cross join lateral (
      select * from trading.decision d
      where d.symbol = w.symbol and d.strategy = w.strategy and d.params = w.params and d.at = ${at}
      order by d.side limit 2) as d
    order by d.symbol, d.strategy, d.params, d.side`;

/** Never moves backwards, even for a slower worker. */
export const updateDecided = (db: Db, at: Date) =>
  execute(db)`
    update trading.follower set decided_until = greatest(decided_until, ${at}::timestamptz)`;

export type DatedDecision = StoredDecision & { readonly session_day: string; readonly at: Date };

type OwnPlan = PlanSetting & {
  readonly id: bigint;
  readonly created_market_at: Date;
  readonly redeemed_market_at: Date | null;
};

/**
 * The latest decisions that affected a plan, newest first: exits while it had a trade, entries while it had none. To
 * enter only where it did, and did not rest, for example: a trade is requested a millisecond before. A plan has one trade
 * at a time, so the last one requested decides; the order is that of the key, so that only the latest are read.
 */
export const listLastDecisions = (db: Db, plan: OwnPlan, limit: number) =>
  listRows(db)<DatedDecision>`
    select session_day::text as session_day, at, symbol, strategy, params, side, action, reason, facts from trading.decision d
    where symbol = ${plan.symbol} and strategy = ${plan.strategy} and params = ${JSON.stringify(plan.params)}::jsonb
      and at > ${plan.created_market_at} and at < coalesce(${plan.redeemed_market_at}::timestamptz, 'infinity')
      and (action <> 'enter' or exists (
        select from trading.trade t
        where t.plan_id = ${plan.id} and t.requested_at between d.at - interval '1 second' and d.at))
      and (side = 'exit') = exists (
        select from (
          select opened_at, closed_at from trading.trade
          where plan_id = ${plan.id} and requested_at < d.at order by requested_at desc limit 1) as t
        where t.opened_at < d.at and (t.closed_at is null or t.closed_at >= d.at))
    order by at desc, side desc limit ${limit}`;

/** The latest entry decision of each setting, per session from a day on. */
export const listEntryDecisions = (db: Db, settings: readonly PlanSetting[], from: string) =>
  listRows(db)<DatedDecision>`
    select distinct on (d.symbol, d.strategy, d.params, d.session_day) d.session_day::text as session_day, d.at, d.symbol, d.strategy,
      d.params, d.side, d.action, d.reason, d.facts
    from ${settingRows(settings)} as w
    join trading.decision d on d.symbol = w.symbol and d.strategy = w.strategy and d.params = w.params
      and d.at >= ${from}::date::timestamp at time zone 'UTC' and d.side = 'entry'
    order by d.symbol, d.strategy, d.params, d.session_day, d.at desc`;
