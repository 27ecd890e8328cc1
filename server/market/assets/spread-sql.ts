import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type SpreadChangeRow = {
  readonly id: bigint;
  readonly symbol: string;
  readonly spread_bps: number;
  readonly before_bps: number;
  readonly reason: string;
  readonly operator_id: bigint;
  readonly created_at: Date;
  /** `2026-03-04`; null before the first session that is played at it. */
  readonly first_session_on: string | null;
};

const columns = sql`
  c.id, a.symbol, c.spread_bps, c.before_bps, c.reason, c.operator_id, c.created_at,
  c.first_session_on::text as first_session_on`;

/** The newest change of each asset that has one, and what it is. */
const newestChanges = sql`
  select distinct on (asset_id) id, asset_id, spread_bps, first_session_on
  from market.spread_change order by asset_id, id desc`;

/** Changes that the next session takes over: of each asset the newest one, if no session was played at it yet. */
export async function listNextChanges(db: Db): Promise<SpreadChangeRow[]> {
  const { rows } = await sql<SpreadChangeRow>`
    select ${columns}
    from (${newestChanges}) as newest join market.spread_change c on c.id = newest.id
    join market.asset a on a.id = c.asset_id
    where newest.first_session_on is null order by a.id`.execute(db);
  return rows;
}

/** All changes of one asset, newest first. */
export async function listSpreadChanges(
  db: Db,
  symbol: string,
  { before, limit }: { readonly before: bigint | undefined; readonly limit: number },
): Promise<SpreadChangeRow[]> {
  const { rows } = await sql<SpreadChangeRow>`
    select ${columns} from market.spread_change c join market.asset a on a.id = c.asset_id
    where a.symbol = ${symbol} and (${before ?? null}::bigint is null or c.id < ${before ?? null})
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The spread of every asset: in force, and from the next session on; null when that is the same. */
export async function listSpreads(
  db: Db,
): Promise<{ readonly symbol: string; readonly spreadBps: number; readonly nextBps: number | null }[]> {
  const { rows } = await sql<{ symbol: string; spreadBps: number; nextBps: number | null }>`
    select a.symbol, a.spread_bps as "spreadBps",
      case when newest.first_session_on is null and newest.spread_bps <> a.spread_bps then newest.spread_bps end as "nextBps"
    from market.asset a left join (${newestChanges}) as newest on newest.asset_id = a.id
    order by a.id`.execute(db);
  return rows;
}

/**
 * The spread a session was played at: of the last change that took effect by then; before the first one, what that one
 * found in force.
 */
export async function findSessionSpread(db: Db, symbol: string, day: string): Promise<number | undefined> {
  const { rows } = await sql<{ bps: number }>`
    select coalesce(
      (select c.spread_bps from market.spread_change c
        where c.asset_id = a.id and c.first_session_on <= ${day}::date order by c.id desc limit 1),
      (select c.before_bps from market.spread_change c
        where c.asset_id = a.id and c.first_session_on > ${day}::date order by c.id limit 1),
      a.spread_bps) as bps
    from market.asset a where a.symbol = ${symbol}`.execute(db);
  return rows[0]?.bps;
}

export type LockedAsset = {
  readonly id: number;
  readonly active: boolean;
  readonly version: number;
  readonly spreadBps: number;
};

/** An asset that is decided about, one decision at a time, so that the ids of its changes follow their order. */
export async function lockAsset(tx: Tx, symbol: string): Promise<LockedAsset | undefined> {
  const { rows } = await sql<LockedAsset>`
    select id, active, version, spread_bps as "spreadBps" from market.asset where symbol = ${symbol} for update`.execute(
    tx,
  );
  return rows[0];
}

export async function updateVersion(tx: Tx, id: number): Promise<void> {
  await sql`update market.asset set version = version + 1 where id = ${id}`.execute(tx);
}

export type NewSpreadChange = {
  readonly assetId: number;
  readonly beforeBps: number;
  readonly spreadBps: number;
  readonly reason: string;
  readonly operatorId: bigint;
  readonly at: Date;
};

export async function insertSpreadChange(tx: Tx, change: NewSpreadChange): Promise<void> {
  await sql`
    insert into market.spread_change (asset_id, before_bps, spread_bps, reason, operator_id, created_at)
    values (${change.assetId}, ${change.beforeBps}, ${change.spreadBps}, ${change.reason}, ${change.operatorId}, ${change.at})`.execute(
    tx,
  );
}

/**
 * Puts what was written since the last opening in force, with the day of the session that begins with it. The assets are
 * locked first: what somebody is writing at this moment is either taken over whole, or left for the next session.
 */
export async function updateSpreadsInForce(tx: Tx, day: string): Promise<void> {
  await sql`select 1 from market.asset order by id for update`.execute(tx);
  await sql`
    with taken as (
      update market.spread_change c set first_session_on = ${day}::date
      from (${newestChanges}) as newest
      where c.id = newest.id and newest.first_session_on is null
      returning c.asset_id, c.spread_bps)
    update market.asset a set spread_bps = taken.spread_bps from taken where a.id = taken.asset_id`.execute(tx);
}
