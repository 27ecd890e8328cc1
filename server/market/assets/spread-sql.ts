import { sql } from 'kysely';
import type { DataOf } from '#contract/endpoint.ts';
import type { market } from '#contract/market.ts';
import type { Db } from '#server/db/connect.ts';
import { findValue, listRows } from '#server/db/rows.ts';

export type SpreadChangeRow = {
  readonly id: bigint;
  readonly symbol: string;
  readonly spread_bps: number;
  readonly before_bps: number;
  readonly reason: string;
  readonly operator_id: bigint;
  readonly created_at: Date;
  /** `2026-03-04`; null before the first session that uses it. */
  readonly first_session_on: string | null;
};

const columns = sql`
  c.id, a.symbol, c.spread_bps, c.before_bps, c.reason, c.operator_id, c.created_at,
  c.first_session_on::text as first_session_on`;

/** The newest spread change of each asset. */
export const newestChanges = sql`
  select distinct on (asset_id) id, asset_id, spread_bps, first_session_on
  from market.spread_change order by asset_id, id desc`;

/** Changes that the next session will apply: the newest of each asset, if no session has used it yet. */
export const listNextChanges = (db: Db) =>
  listRows(db)<SpreadChangeRow>`
    select ${columns}
    from (${newestChanges}) as newest join market.spread_change c on c.id = newest.id
    join market.asset a on a.id = c.asset_id
    where newest.first_session_on is null order by a.id`;

/** All changes of one asset, newest first. */
export const listSpreadChanges = (
  db: Db,
  symbol: string,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
) =>
  listRows(db)<SpreadChangeRow>`
    select ${columns} from market.spread_change c join market.asset a on a.id = c.asset_id
    where a.symbol = ${symbol} and (${before ?? null}::bigint is null or c.id < ${before ?? null})
    order by c.id desc limit ${limit}`;

/** Each asset's current spread, and the one from the next session on; null when unchanged. */
export const listSpreads = (db: Db) =>
  listRows(db)<DataOf<typeof market.listSpreads>['items'][number]>`
    select a.symbol, a.spread_bps,
      case when newest.first_session_on is null and newest.spread_bps <> a.spread_bps then newest.spread_bps end as next_bps
    from market.asset a left join (${newestChanges}) as newest on newest.asset_id = a.id
    order by a.id`;

/** The spread of a session: of the last change effective by then; before the first change, the spread it replaced. */
export const findSessionSpread = (db: Db, symbol: string, day: string) =>
  findValue(db)<number>`
    select coalesce(
      (select c.spread_bps from market.spread_change c
        where c.asset_id = a.id and c.first_session_on <= ${day}::date order by c.id desc limit 1),
      (select c.before_bps from market.spread_change c
        where c.asset_id = a.id and c.first_session_on > ${day}::date order by c.id limit 1),
      a.spread_bps) as bps
    from market.asset a where a.symbol = ${symbol}`;
