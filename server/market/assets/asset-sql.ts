import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';
import { getClock, isLiveFeed } from '../clock/clock-sql.ts';
import { isStale } from '../core/candle.ts';
import type { PlayState } from '../core/play-candles.ts';

/** An asset together with the clock, read in one query so that both are consistent. */
export type AssetRow = Omit<Asset, 'mark' | 'stale'> & {
  readonly id: number;
  readonly price: string | null;
  readonly markAt: Date | null;
  /** 24-hour turnover in dollars as reported by a live source, decimal text. */
  readonly dayVolume: string | null;
  /** Whether prices come from a live source, which does not report a candle's turnover. */
  readonly isLive: boolean;
  readonly marketAt: Date;
  readonly stepSeconds: number;
};

const selectAssets = (db: Db, where: RawBuilder<unknown>) => listRows(db)<AssetRow>`
  select a.id, a.symbol, a.name, a.apiname, a.logo, a.active, a.listed, a.version, a.spread_bps as "spreadBps",
    m.price::text as price, m.at as "markAt", m.day_volume::text as "dayVolume",
    ${isLiveFeed} as "isLive", c.at as "marketAt", c.step_seconds as "stepSeconds"
  from market.clock c cross join market.asset a left join market.mark m on m.asset_id = a.id
  where ${where} order by a.id`;

/** A relation `symbol, spread_bps, price, at` for other SQL: the current spread and the last mark, null without one. */
export const assetMarks = sql`(
  select a.symbol, a.spread_bps, m.price, m.at from market.asset a left join market.mark m on m.asset_id = a.id)`;

export const listAssetRows = (db: Db) => selectAssets(db, sql`true`);

const findAssetRow = async (db: Db, symbol: string): Promise<AssetRow | undefined> =>
  (await selectAssets(db, sql`a.symbol = ${symbol}`))[0];

export type Asset = {
  readonly symbol: string;
  /** As shown: `btc/usdt`. */
  readonly name: string;
  readonly apiname: string;
  /** Path of the icon. */
  readonly logo: string;
  /** False when an operator switched it off. */
  readonly active: boolean;
  /** False when the exchange used as venue does not trade it. */
  readonly listed: boolean;
  /** Incremented by every operator decision about the asset. */
  readonly version: number;
  /** Current spread: that of the latest session to open. */
  readonly spreadBps: number;
  /** The last price; null before the first. */
  readonly mark: { readonly symbol: string; readonly price: string; readonly at: Date } | null;
  /** Whether the mark is too old to be valid. */
  readonly stale: boolean;
};

/** One asset without 24-hour figures, as needed for placing a trade. Undefined for an unknown symbol. */
export async function findAsset(db: Db | Tx, symbol: string): Promise<Asset | undefined> {
  const row = await findAssetRow(db, symbol);
  return row && readAsset(row);
}

/** @throws Refused asset_not_found */
export const getAssetRow = async (db: Db | Tx, symbol: string): Promise<AssetRow> =>
  orRefuse(await findAssetRow(db, symbol), 'asset_not_found');

export function readAsset(row: AssetRow): Asset {
  const { symbol, name, apiname, logo, active, listed, version, spreadBps, price, markAt, marketAt, stepSeconds } = row;
  return {
    symbol,
    name,
    apiname,
    logo,
    active,
    listed,
    version,
    spreadBps,
    mark: price === null || markAt === null ? null : { symbol, price, at: markAt },
    stale: isStale(markAt?.getTime() ?? null, marketAt.getTime(), stepSeconds),
  };
}

/**
 * Assets tradable now: active and listed by the venue, unless the recording is over.
 *
 * @throws Refused not_ready before prepareMarket has run once
 */
export async function readTradable(
  db: Db,
): Promise<{ readonly symbols: readonly string[]; readonly hasEnded: boolean }> {
  const [{ at, endsAt }, assets] = await Promise.all([getClock(db), listAssetRows(db)]);
  return {
    symbols: assets.filter((asset) => asset.active && asset.listed).map((asset) => asset.symbol),
    hasEnded: endsAt !== null && at >= endsAt,
  };
}

/** Sets which assets the venue trades now; all others are not tradable. */
export const updateListed = (db: Db, symbols: readonly string[]) =>
  execute(db)`
    update market.asset set listed = symbol = any(${symbols}::text[]) where listed <> (symbol = any(${symbols}::text[]))`;

export type NewAsset = Omit<Asset, 'listed' | 'version' | 'mark' | 'stale'> & { readonly id: number };

/**
 * Names follow the contract at each start; operator settings are left unchanged. Locks only what changes, so that a process
 * can start while a worker hangs in a step of the clock.
 */
export async function upsertAssets(tx: Tx, assets: readonly NewAsset[]): Promise<void> {
  await execute(tx)`
    with given as (
      select * from unnest(
        ${assets.map((asset) => asset.id)}::smallint[], ${assets.map((asset) => asset.symbol)}::text[],
        ${assets.map((asset) => asset.name)}::text[], ${assets.map((asset) => asset.apiname)}::text[],
        ${assets.map((asset) => asset.logo)}::text[], ${assets.map((asset) => asset.active)}::boolean[],
        ${assets.map((asset) => asset.spreadBps)}::integer[]) as g (id, symbol, name, apiname, logo, active, spread_bps)),
    renamed as (
      update market.asset a set name = g.name, apiname = g.apiname, logo = g.logo from given g
      where a.id = g.id and (a.name, a.apiname, a.logo) is distinct from (g.name, g.apiname, g.logo))
    insert into market.asset (id, symbol, name, apiname, logo, active, spread_bps)
    select * from given g where not exists (select from market.asset a where a.id = g.id)
    on conflict do nothing`;
  await execute(tx)`
    insert into market.mark (asset_id)
    select id from market.asset a where not exists (select from market.mark m where m.asset_id = a.id)
    on conflict do nothing`;
}

export type AssetState = { readonly id: number; readonly symbol: string; readonly state: PlayState };

type StateRow = {
  id: number;
  symbol: string;
  price: string | null;
  at: Date | null;
  doubted: string | null;
  formingAt: Date | null;
  open: string;
  high: string;
  low: string;
  close: string;
};

/** Marks and forming candles of all assets, from which the engine's next step continues. */
export async function listStates(tx: Tx): Promise<AssetState[]> {
  const rows = await listRows(tx)<StateRow>`
    select a.id, a.symbol, m.price::text as price, m.at, m.doubted::text as doubted, m.forming_at as "formingAt",
      m.forming_open::text as open, m.forming_high::text as high, m.forming_low::text as low,
      m.forming_close::text as close
    from market.asset a join market.mark m on m.asset_id = a.id order by a.id`;
  return rows.map((row) => ({ id: row.id, symbol: row.symbol, state: readState(row) }));
}

function readState(row: StateRow): PlayState {
  const number = (text: string | null) => (text === null ? null : Number(text));
  const mark = { price: number(row.price), atMs: row.at?.getTime() ?? null, outlier: number(row.doubted) };
  if (row.formingAt === null) return { mark, forming: null };
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { mark, forming: { atMs: row.formingAt.getTime(), open, high, low, close } };
}

export async function updateStates(tx: Tx, states: readonly { id: number; state: PlayState }[]): Promise<void> {
  const text = (pick: (state: PlayState) => number | null | undefined) =>
    states.map(({ state }) => pick(state)?.toString() ?? null);
  const seconds = (pick: (state: PlayState) => number | null | undefined) =>
    states.map(({ state }) => {
      const ms = pick(state);
      return ms === null || ms === undefined ? null : ms / 1000;
    });
  await execute(tx)`
    update market.mark m set price = n.price, at = to_timestamp(n.at), doubted = n.doubted,
      forming_at = to_timestamp(n.forming_at), forming_open = n.open, forming_high = n.high, forming_low = n.low,
      forming_close = n.close
    from unnest(
      ${states.map(({ id }) => id)}::smallint[], ${text((state) => state.mark.price)}::numeric[],
      ${seconds((state) => state.mark.atMs)}::float8[], ${text((state) => state.mark.outlier)}::numeric[],
      ${seconds((state) => state.forming?.atMs)}::float8[], ${text((state) => state.forming?.open)}::numeric[],
      ${text((state) => state.forming?.high)}::numeric[], ${text((state) => state.forming?.low)}::numeric[],
      ${text((state) => state.forming?.close)}::numeric[]
    ) as n (asset_id, price, at, doubted, forming_at, open, high, low, close)
    where m.asset_id = n.asset_id`;
}

/** Absurd prices seen before no longer confirm one. */
export const forgetOutliers = (tx: Tx) =>
  execute(tx)`
    update market.mark set doubted = null where doubted is not null`;

/** 24-hour turnover of the assets that a source has just quoted. */
export const updateDayVolumes = (
  tx: Tx,
  quoted: readonly { readonly id: number; readonly dayVolume: number | null }[],
) =>
  execute(tx)`
    update market.mark m set day_volume = n.day_volume
    from unnest(${quoted.map(({ id }) => id)}::smallint[],
      ${quoted.map(({ dayVolume }) => dayVolume?.toString() ?? null)}::numeric[]) as n (asset_id, day_volume)
    where m.asset_id = n.asset_id`;
