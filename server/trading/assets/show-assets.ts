import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type { ConsoleAsset, consoleAssets, SpreadChange } from '#contract/operator/assets.ts';
import { nameActors } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import {
  type Asset,
  findAsset,
  listAssets,
  listNextChanges,
  listSpreadChanges,
  type SpreadChangeRow,
} from '#server/market/index.ts';
import { orRefuse } from '#server/refused.ts';
import { valueAtMark } from '../core/price.ts';
import { inDollars } from '../limits/change-limits.ts';
import { type AssetLimits, depthSince, listLimits } from '../limits/limit-sql.ts';
import { type AssetPositions, listAssetPositions } from '../portfolio/portfolio-sql.ts';

/** The assets as shown to operators, in the specification's order. */
export async function showAssets(context: Context): Promise<ConsoleAsset[]> {
  const { db } = context;
  const [assets, positions, changes, limits] = [
    await listAssets(db),
    await listAssetPositions(db),
    await showSpreadChanges(db, await listNextChanges(db)),
    await listLimits(db, depthSince(context)),
  ];
  const positionsOf = new Map(positions.map((line) => [line.symbol, line]));
  const nextOf = new Map(changes.map(({ symbol, change }) => [symbol, change]));
  const limitsOf = new Map(limits.map((line) => [line.symbol, line]));
  return assets.map((asset) => ({
    ...showAsset(asset, positionsOf.get(asset.symbol), nextOf.get(asset.symbol)),
    limits: showLimitsOf(limitsOf.get(asset.symbol)),
  }));
}

function showAsset(
  { symbol, name, logo, version, active, spreadBps, mark, stale }: Asset,
  positions: AssetPositions | undefined,
  next: SpreadChange | undefined,
): Omit<ConsoleAsset, 'limits'> {
  const { open = 0, quantity = '0', queued = 0, queuedAmount = 0n } = positions ?? {};
  const value = valueAtMark(quantity, mark?.price ?? null);
  return {
    symbol,
    name,
    logo,
    version,
    active,
    spread_bps: spreadBps,
    // A change back to the current spread cancelled a pending one: nothing will change.
    next_spread: next === undefined || next.spread_bps === spreadBps ? null : next,
    price: mark === null ? null : Number(mark.price),
    price_at: mark?.at.toISOString() ?? null,
    stale,
    positions: { count: open, quantity, value: dollarsOrNull(value) },
    queued: { count: queued, amount: toDollars(queuedAmount) },
  };
}

function showLimitsOf(limits: AssetLimits | undefined): ConsoleAsset['limits'] {
  if (limits === undefined) return { trade: null, member: null, all: null, version: 1, half_depth: null };
  return { ...inDollars(limits), version: limits.version, half_depth: dollarsOrNull(limits.halfDepthMicros) };
}

/** Changes with the names of the operators who made them. */
async function showSpreadChanges(
  db: Db,
  rows: readonly SpreadChangeRow[],
): Promise<{ symbol: string; change: SpreadChange }[]> {
  const ids = rows.map((row) => row.operator_id);
  const person = await nameActors(db, ids);
  return rows.map((row) => ({
    symbol: row.symbol,
    change: {
      id: row.id.toString(),
      spread_bps: row.spread_bps,
      before_bps: row.before_bps,
      reason: row.reason,
      by: person(row.operator_id),
      at: row.created_at.toISOString(),
      first_session_on: row.first_session_on,
    },
  }));
}

type ListSpreadChanges = typeof consoleAssets.listSpreadChanges;

/** One page of an asset's spread changes, newest first. Refuses `asset_not_found`. */
export async function showSpreadHistory(
  { db }: Context,
  symbol: string,
  { cursor, limit }: QueryOf<ListSpreadChanges>,
): Promise<DataOf<ListSpreadChanges>> {
  orRefuse(await findAsset(db, symbol), 'asset_not_found');
  const found = await listSpreadChanges(db, symbol, { before: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: (await showSpreadChanges(db, rows)).map(({ change }) => change), next_cursor: nextCursor };
}
