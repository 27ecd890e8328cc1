import { type RawBuilder, sql } from 'kysely';
import type { WalletType } from '#contract/rules.ts';
import type { PlanState, PlanStateReason } from '#contract/trading/plan.ts';
import type { StrategyName, StrategyParams } from '#contract/trading/strategy.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, listRows } from '#server/db/rows.ts';
import type { StoredStops } from '../core/stops/stops.ts';

export type PlanRow = StoredStops & {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly symbol: string;
  readonly strategy: StrategyName;
  readonly params: StrategyParams;
  readonly wallet: WalletType;
  readonly amount: bigint;
  readonly compounding: boolean;
  readonly state: PlanState;
  readonly state_reason: PlanStateReason | null;
  readonly created_at: Date;
  readonly created_market_at: Date;
  readonly redeemed_at: Date | null;
  readonly redeemed_market_at: Date | null;
  readonly redeemed_amount: bigint | null;
  /** Its balance in `investment`: of what a trade holds, only what the exchange did not fill. */
  readonly cash: bigint;
};

/** SQL for what all plans have in `investment`. */
export const cashOfPlans: RawBuilder<bigint> = sql<bigint>`
  coalesce((select sum(trading.plan_cash(p.id, p.amount)) from trading.plan p where p.state <> 'redeemed'), 0)::bigint`;

export const planColumns: RawBuilder<unknown> = sql`
  p.id, p.member_id, p.symbol, p.strategy, p.params, p.wallet, p.amount, p.compounding, p.stop_loss_permille,
  p.take_profit_permille, p.trailing_stop_permille, p.state, p.state_reason, p.created_at, p.created_market_at, p.redeemed_at,
  p.redeemed_market_at, p.redeemed_amount, case when p.state = 'redeemed' then 0 else trading.plan_cash(p.id, p.amount) end as cash`;

/** Locks one plan of its member against the engine and concurrent calls of the member. */
export const lockPlan = (tx: Tx, memberId: bigint, id: bigint) =>
  findRow(tx)<PlanRow>`
    select ${planColumns} from trading.plan p where p.id = ${id} and p.member_id = ${memberId} for update`;

export const findPlan = (db: Db, memberId: bigint, id: bigint) =>
  findRow(db)<PlanRow>`
    select ${planColumns} from trading.plan p where p.id = ${id} and p.member_id = ${memberId}`;

export type PlanChange =
  | { readonly state: 'active' }
  | { readonly state: 'paused'; readonly reason: PlanStateReason }
  | { readonly state: 'redeemed'; readonly at: Date; readonly marketAt: Date; readonly amount: bigint };

export async function updatePlanState(tx: Tx, id: bigint, change: PlanChange): Promise<PlanRow> {
  const redeemed = change.state === 'redeemed' ? change : undefined;
  return getRow(tx)<PlanRow>`
    update trading.plan p set state = ${change.state}, state_reason = ${change.state === 'paused' ? change.reason : null},
      redeemed_at = ${redeemed?.at ?? null}, redeemed_market_at = ${redeemed?.marketAt ?? null},
      redeemed_amount = ${redeemed?.amount ?? null}
    where p.id = ${id} returning ${planColumns}`;
}

export type PlanEventKind = 'created' | 'paused' | 'resumed' | 'stops_changed' | 'redeemed' | 'skipped';
export type PlanEventRow = {
  readonly plan_id: bigint;
  readonly kind: PlanEventKind;
  readonly reason: string | null;
  readonly at: Date;
  readonly market_at: Date;
};

export const insertPlanEvent = (tx: Tx, event: PlanEventRow) =>
  execute(tx)`
    insert into trading.plan_event (plan_id, kind, reason, at, market_at)
    values (${event.plan_id}, ${event.kind}, ${event.reason}, ${event.at}, ${event.market_at})`;

/** Events of plans, oldest first. */
export const listPlanEvents = (db: Db, planIds: readonly bigint[]) =>
  listRows(db)<PlanEventRow>`
    select plan_id, kind, reason, at, market_at from trading.plan_event where plan_id = any(${planIds}::bigint[]) order by id`;

export type PlanFilter = {
  readonly memberId: bigint;
  readonly states: readonly PlanState[];
  readonly compounding?: true;
  readonly before: bigint | undefined;
  readonly limit: number;
};

/** Newest first. */
export const listPlanRows = (db: Db, filter: PlanFilter) =>
  listRows(db)<PlanRow>`
    select ${planColumns} from trading.plan p
    where p.member_id = ${filter.memberId} and p.state = any(${filter.states}::text[])
      and (${filter.before ?? null}::bigint is null or p.id < ${filter.before ?? null}::bigint)
      and (not ${filter.compounding ?? false}::boolean or p.compounding)
    order by p.id desc limit ${filter.limit}`;

export type PlanTotals = {
  readonly plan_id: bigint;
  readonly trades: bigint;
  readonly result: bigint;
  readonly sessions: bigint;
};

/** Totals over all settled trades of plans. */
export const listPlanTotals = (db: Db, planIds: readonly bigint[]) =>
  listRows(db)<PlanTotals>`
    select plan_id, count(*) as trades, sum(result)::bigint as result, count(distinct session_day) as sessions from trading.trade
    where plan_id = any(${planIds}::bigint[]) and state = 'settled' group by plan_id`;

export type PlanSessionRow = {
  readonly plan_id: bigint;
  readonly day: string;
  readonly trades: bigint;
  readonly result: bigint;
  /** The plan's value after the session's last trade. */
  readonly value: bigint;
};

const keptValue = sql`t.amount + coalesce(t.unfilled, 0) + case when t.compounding then t.result else least(t.result, 0) end`;

/** Results of plans per session from a day on, oldest first. */
export const listPlanSessions = (db: Db, planIds: readonly bigint[], from: string) =>
  listRows(db)<PlanSessionRow>`
    select t.plan_id, t.session_day::text as day, count(*) as trades, sum(t.result)::bigint as result,
      (array_agg(${keptValue} order by t.id desc))[1] as value
    from trading.trade t
    where t.plan_id = any(${planIds}::bigint[]) and t.state = 'settled' and t.session_day >= ${from}::date
    group by t.plan_id, t.session_day order by t.plan_id, t.session_day`;

/** Values of plans before a day, without plans that had not traded yet. */
export const listPlanValuesBefore = (db: Db, planIds: readonly bigint[], day: string) =>
  listRows(db)<{ plan_id: bigint; value: bigint }>`
    select last.plan_id, last.value from unnest(${planIds}::bigint[]) as wanted(id)
    cross join lateral (
      select t.plan_id, ${keptValue} as value from trading.trade t
      where t.plan_id = wanted.id and t.state = 'settled' and t.session_day < ${day}::date order by t.id desc limit 1) as last`;

/** The last `limit` settled sessions, oldest first. */
export const listSettledDays = (db: Db, limit: number) =>
  listRows(db)<{ day: string; opens_at: Date }>`
    select day, opens_at from (
      select day::text as day, opens_at from trading.session where state = 'settled' order by trading.session.day desc limit ${limit}) as latest
    order by opens_at`;
