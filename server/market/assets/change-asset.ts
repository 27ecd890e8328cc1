import { strict as assert } from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { updateActive } from './asset-sql.ts';
import {
  insertSpreadChange,
  type LockedAsset,
  listSpreads,
  lockAsset,
  updateSpreadsInForce,
  updateVersion,
} from './spread-sql.ts';

type SpreadTurn = {
  readonly symbol: string;
  /** What the operator saw of the asset. */
  readonly version: number;
  readonly spreadBps: number;
  readonly reason: string;
  readonly operatorId: bigint;
  readonly at: Date;
};

/**
 * Sets the spread of an asset from the next session that opens, inside the transaction that audits it; one that is open
 * keeps its own to the end (docs/product.md, section 3). A change that no session was played at yet is followed by this
 * one.
 *
 * Refuses `asset_not_found`, `asset_changed`, `spread_unchanged`.
 *
 * @returns what the next session would have been played at, and what is in force
 */
export async function changeSpread(tx: Tx, turn: SpreadTurn): Promise<{ nextBps: number; inForceBps: number }> {
  const { symbol, spreadBps, reason, operatorId, at } = turn;
  const asset = await lockSeenAsset(tx, turn);
  const nextBps = (await listSpreads(tx)).find((line) => line.symbol === symbol)?.nextBps ?? asset.spreadBps;
  if (nextBps === spreadBps) throw new Refused('spread_unchanged');
  await insertSpreadChange(tx, { assetId: asset.id, beforeBps: asset.spreadBps, spreadBps, reason, operatorId, at });
  await updateVersion(tx, asset.id);
  return { nextBps, inForceBps: asset.spreadBps };
}

/** Puts the newest spreads in force with the session of a day, in the transaction that opens it: what a session is played
 * at never changes within it. */
export async function takeOverSpreads(tx: Tx, day: string): Promise<void> {
  assert(tx.isTransaction, 'a session opens with its spreads');
  await updateSpreadsInForce(tx, day);
}

/**
 * Switches an asset on or off for trading, inside the transaction that audits it. Its prices go on either way.
 * @returns whether it was active before
 * @throws Refused asset_not_found
 */
export async function setAssetActive(tx: Tx, symbol: string, active: boolean): Promise<boolean> {
  const before = await updateActive(tx, symbol, active);
  if (before === undefined) throw new Refused('asset_not_found');
  return before;
}

/**
 * An asset an operator decides about, locked, if it still is as they saw it.
 *
 * Refuses `asset_not_found`, `asset_changed`.
 */
export async function lockSeenAsset(
  tx: Tx,
  { symbol, version }: { readonly symbol: string; readonly version: number },
): Promise<LockedAsset> {
  assert(tx.isTransaction, 'a decision holds what it is about');
  const asset = await lockAsset(tx, symbol);
  if (asset === undefined) throw new Refused('asset_not_found');
  if (asset.version !== version) throw new Refused('asset_changed');
  return asset;
}
