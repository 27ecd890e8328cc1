import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { StoredTick } from '../core/average-price.ts';

/** A mark price at an instant of market time; `price` is decimal text. */
export type Price = { readonly symbol: string; readonly price: string; readonly at: Date };

export type NewTick = { readonly assetId: number; readonly atMs: number; readonly price: number };

export async function insertTicks(tx: Tx, ticks: readonly NewTick[]): Promise<void> {
  if (ticks.length === 0) return;
  await sql`
    insert into market.tick (asset_id, at, price)
    select asset_id, to_timestamp(at), price from unnest(
      ${ticks.map((tick) => tick.assetId)}::smallint[], ${ticks.map((tick) => tick.atMs / 1000)}::float8[],
      ${ticks.map((tick) => tick.price.toString())}::numeric[]) as n (asset_id, at, price)`.execute(tx);
}

/** Every stored price in (after, upTo] of market time, oldest first; of one instant in the order of the assets. */
export async function listTicks(db: Db | Tx, stretch: { after: Date; upTo: Date }): Promise<Price[]> {
  const { rows } = await sql<Price>`
    select a.symbol, t.price::text as price, t.at
    from market.asset a cross join lateral (
      select price, at from market.tick
      where asset_id = a.id and at > ${stretch.after} and at <= ${stretch.upTo} order by at) as t
    order by t.at, a.id`.execute(db);
  return rows;
}

/** Ticks of one asset before `to` or, when `to` is null, the first `limit`, beginning with the one in force at `from`. */
export async function listHeldTicks(
  db: Db | Tx,
  symbol: string,
  stretch: { from: Date; to: Date | null; limit: number },
): Promise<StoredTick[]> {
  const { rows } = await sql<{ price: string; at: Date }>`
    with asset as materialized (select id from market.asset where symbol = ${symbol})
    (select t.price::text as price, t.at from market.tick t, asset
      where t.asset_id = asset.id and t.at <= ${stretch.from} order by t.at desc limit 1)
    union all
    (select t.price::text, t.at from market.tick t, asset
      where t.asset_id = asset.id and t.at > ${stretch.from}
        and (${stretch.to}::timestamptz is null or t.at < ${stretch.to}) order by t.at limit ${stretch.limit})
    order by at`.execute(db);
  return rows.map((row) => ({ price: row.price, atMs: row.at.getTime() }));
}

export async function deleteTicksBefore(tx: Tx, at: Date): Promise<void> {
  await sql`
    delete from market.tick where asset_id = any (array(select id from market.asset)) and at < ${at}`.execute(tx);
}
