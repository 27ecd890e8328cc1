import { type RawBuilder, sql } from 'kysely';
import type { PlanStateReason } from '#contract/trading/plan.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow, listValues } from '#server/db/rows.ts';
import { lockedAccounts, memberAccount, postingSet } from '#server/ledger/index.ts';
import { takingRoom } from '../limits/limit-sql.ts';
import { type Chunk, findChunk } from '../session/opening-sql.ts';
import { type PlanSetting, settingRows } from './decision-sql.ts';

const isWanted = (wanted: readonly PlanSetting[] | undefined): RawBuilder<unknown> =>
  wanted === undefined
    ? sql`true`
    : sql`(p.symbol, p.strategy, p.params) in (select symbol, strategy, params from ${settingRows(wanted)} as w)`;

/** The ids of the next active plans, of all or some settings; undefined after the last. */
export const findPlanChunk = (db: Db, after: bigint, size: number, wanted: readonly PlanSetting[] | undefined) =>
  findChunk(
    db,
    after,
    sql`select p.id from trading.plan p where p.state = 'active' and p.id > ${after} and ${isWanted(wanted)} order by p.id limit ${size}`,
  );

/**
 * Locks the active plans of a chunk in id order against their members' calls.
 *
 * @returns their ids
 */
export const lockPlans = (tx: Tx, { after, upTo }: Chunk, wanted: readonly PlanSetting[] | undefined) =>
  listValues(tx)<bigint>`
    select p.id from trading.plan p
    where p.state = 'active' and p.id > ${after} and p.id <= ${upTo} and ${isWanted(wanted)} order by p.id for update`;

export type Entering = {
  readonly entering: readonly PlanSetting[];
  readonly inactiveSymbols: readonly string[];
  readonly frozenMemberIds: readonly bigint[];
  readonly limitedMemberIds: readonly bigint[];
  /** Assets with size limits. */
  readonly limitedSymbols: readonly string[];
};

export type Placing = Entering & {
  readonly day: string;
  readonly opensAt: Date;
  readonly requestedAt: Date;
  readonly placedAt: Date;
  readonly isOpening: boolean;
  /** Since when measured depths are valid. */
  readonly depthSince: Date | null;
  readonly minimumMicros: { readonly primary: bigint; readonly profit: bigint };
};

export type PausedPlan = {
  readonly memberId: string;
  readonly symbol: string;
  readonly reason: Exclude<PlanStateReason, 'member'>;
};

/** Trades of this session after which a plan rests. */
const rests = (placing: Placing): RawBuilder<unknown> => sql`
  exists (select from trading.trade t where t.plan_id = idle.id and (
    (t.session_day = ${placing.day}::date and t.close_reason in ('stop_loss', 'take_profit', 'trailing_stop', 'close_now'))
    or (t.cancel_reason in ('member', 'over_asset_limit') and t.requested_at >= ${placing.opensAt}::timestamptz - interval '1 millisecond')))
  or (idle.state_reason = 'over_asset_limit' and exists (select from trading.plan_event e
    where e.plan_id = idle.id and e.kind = 'skipped' and e.market_at >= ${placing.opensAt}::timestamptz - interval '1 millisecond'))`;

/**
 * Pauses plans that cannot continue, and places trades for those whose setting enters and whose amount fits the limits
 * of the asset. Ignores plans with a trade in progress and plans created after the session opened.
 *
 * @returns the paused plans and those that skip the session, with the reason
 */
export async function placeForPlans(
  tx: Tx,
  planIds: readonly bigint[],
  placing: Placing,
): Promise<readonly PausedPlan[]> {
  const { limitedSymbols } = placing;
  const isLimited = sql`idle.symbol = any(${limitedSymbols}::text[])`;
  // Account locks first, as in every statement that counts against the limits.
  const room =
    limitedSymbols.length === 0
      ? sql``
      : sql`
    held as materialized (${lockedAccounts(sql`array(
      select unnest(array[${memberAccount(sql`member_id`, 'investment')}, ${memberAccount(sql`member_id`, 'trade_escrow')}])
      from entering where is_limited)`)}),
    room as materialized (${takingRoom(
      sql`(
        select e.n, e.member_id, e.symbol, e.cash as amount
        from entering e cross join (select count(*) from held) as waited where e.is_limited) as wanted`,
      placing.depthSince,
      false,
    )}),`;
  const fits = limitedSymbols.length === 0 ? sql`true` : sql`(not e.is_limited or e.n in (select n from room))`;
  const drafts = sql`
    select 'trade/' || id || '/place', ${memberAccount(sql`member_id`, 'investment')}, ${memberAccount(sql`member_id`, 'trade_escrow')},
      amount, 'trade_place', 'trade ' || id, requested_at, null::text
    from placed`;
  const { paused } = await getRow(tx)<{ paused: PausedPlan[] }>`
    with idle as materialized (
      select p.*, trading.plan_cash(p.id, p.amount) as cash from trading.plan p
      where p.id = any(${planIds}::bigint[]) and p.created_market_at < ${placing.opensAt}
        and not exists (select from trading.trade t where t.plan_id = p.id and t.state in ('queued', 'open'))
    ), checked as materialized (
      select idle.*,
        case
          when symbol = any(${placing.inactiveSymbols}::text[]) then 'asset_off'
          when member_id = any(${placing.limitedMemberIds}::bigint[]) then 'own_limit'
          when cash < case wallet when 'primary' then ${placing.minimumMicros.primary}::bigint else ${placing.minimumMicros.profit}::bigint end
            then 'minimum'
        end as pause_reason
      from idle
    ), paused as (
      update trading.plan p set state = 'paused', state_reason = c.pause_reason
      from checked c where p.id = c.id and c.pause_reason is not null
      returning p.id, p.member_id, p.symbol, p.state_reason
    ), entering as materialized (
      select idle.*, (row_number() over (order by idle.id))::int as n, ${isLimited} as is_limited
      from checked idle join ${settingRows(placing.entering)} as e
        on e.symbol = idle.symbol and e.strategy = idle.strategy and e.params = idle.params
      where idle.pause_reason is null and idle.member_id <> all(${placing.frozenMemberIds}::bigint[]) and not (${rests(placing)})
    ), ${room}
    skipped as (
      update trading.plan p set state_reason = 'over_asset_limit'
      from entering e where p.id = e.id and not ${fits}
      returning p.id, p.member_id, p.symbol, p.state_reason
    ), told as (
      insert into trading.plan_event (plan_id, kind, reason, at, market_at)
      select id, case state_reason when 'over_asset_limit' then 'skipped' else 'paused' end, state_reason,
        ${placing.placedAt}::timestamptz, ${placing.requestedAt}::timestamptz
      from (table paused union all table skipped) as stopped order by id
    ), resumed as (
      update trading.plan p set state_reason = null
      from checked c left join entering e on e.id = c.id
      where p.id = c.id and c.pause_reason is null and c.state_reason is not null
        and case when e.id is null then ${placing.isOpening}::boolean else ${fits} end
    ), placed as (
      insert into trading.trade (member_id, symbol, wallet, plan_id, compounding, amount, placed_at, requested_at,
        stop_loss_permille, take_profit_permille, trailing_stop_permille)
      select e.member_id, e.symbol, 'investment', e.id, e.compounding, e.cash, ${placing.placedAt}::timestamptz,
        ${placing.requestedAt}::timestamptz, e.stop_loss_permille, e.take_profit_permille, e.trailing_stop_permille
      from entering e where ${fits}
      order by e.id
      on conflict do nothing
      returning id, member_id, amount, requested_at)
    select ${postingSet(drafts)} as posted, (
      select coalesce(jsonb_agg(jsonb_build_object('memberId', member_id::text, 'symbol', symbol, 'reason', state_reason)), '[]'::jsonb)
      from (table paused union all table skipped) as stopped) as paused`;
  return paused;
}

/** The plan ids of the next open trades of plans; undefined after the last. */
export const findOpenPlanChunk = (db: Db, after: bigint, size: number) =>
  findChunk(
    db,
    after,
    sql`
      select plan_id as id from trading.trade
      where state = 'open' and plan_id is not null and plan_id > ${after} order by plan_id limit ${size}`,
  );

/** Requests the sale of plans' open trades. Earlier requests stand; *close now* after the boundary is overridden. */
export const requestExits = (tx: Tx, { after, upTo }: Chunk, exiting: readonly PlanSetting[], at: Date) =>
  execute(tx)`
    with locked as materialized (
      select t.id, t.plan_id from trading.trade t
      where t.state = 'open' and t.plan_id is not null and t.plan_id > ${after} and t.plan_id <= ${upTo}
        and (t.close_requested_at is null or (t.close_cause = 'close_now' and t.close_requested_at > ${at})) and t.opened_at <= ${at}
      order by t.id for update)
    update trading.trade t set close_requested_at = ${at}, close_cause = 'strategy'
    from locked join trading.plan p on p.id = locked.plan_id
    where t.id = locked.id and ${isWanted(exiting)}`;
