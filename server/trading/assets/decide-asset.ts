import { strict as assert } from 'node:assert';
import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { confirmOperator } from '#server/accounts/index.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { changeSpread, findAsset, lockSeenAsset, setAssetActive } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { showAssets } from './show-assets.ts';

type AssetSwitch = AssetVerdict & {
  readonly active: boolean;
  readonly why: string;
};

/**
 * Switches an asset off, or on again (docs/product.md, section 3). Off, nothing new can be placed on it, what is queued
 * comes back and its plans pause when a session opens; open positions settle as always. Only to switch it on takes the
 * second factor: a stop must never wait for a phone. Said twice it changes and tells nothing.
 *
 * Refuses `asset_not_found`, `asset_changed`, `second_factor_missing`, `wrong_second_factor`.
 */
export function switchAsset(context: Context, decider: Decider, verdict: AssetSwitch): Promise<ConsoleAsset> {
  const { symbol, active, why } = verdict;
  return decideAsset(context, decider, verdict, async (tx) => {
    const before = await lockSeenAsset(tx, verdict);
    if (before.active === active) return;
    await setAssetActive(tx, symbol, active);
    await writeAudit(tx, {
      ...actingAs(decider),
      action: active ? 'asset.on' : 'asset.off',
      subject: `asset:${symbol}`,
      before: { active: before.active },
      after: { active, why },
    });
  });
}

type SpreadVerdict = AssetVerdict & {
  readonly spread_bps: number;
  readonly why: string;
};

/**
 * Sets an asset's spread from the next session that opens; one that is open keeps its own to the end (docs/product.md,
 * section 3).
 *
 * Refuses `asset_not_found`, `asset_changed`, `spread_unchanged`, `second_factor_missing`, `wrong_second_factor`.
 */
export function setSpread(context: Context, decider: Decider, verdict: SpreadVerdict): Promise<ConsoleAsset> {
  const { symbol, version, spread_bps: spreadBps, why } = verdict;
  return decideAsset(context, decider, verdict, async (tx) => {
    const { inForceBps, nextBps } = await changeSpread(tx, {
      symbol,
      version,
      spreadBps,
      reason: why,
      operatorId: decider.operatorId,
      at: context.now(),
    });
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'asset.spread',
      subject: `asset:${symbol}`,
      before: { inForceBps, nextBps },
      after: { inForceBps, nextBps: spreadBps, why },
    });
  });
}

/** Which asset is decided about, as the operator saw it; `otp` for what takes the second factor. */
type AssetVerdict = { readonly symbol: string; readonly version: number; readonly otp?: string };

/**
 * The frame of every decision about an asset: it is looked at before the second factor is taken, so that a code is not lost
 * to a page that is out of date; `carryOut` looks again, under a lock.
 *
 * Refuses `asset_not_found`, `asset_changed`, `second_factor_missing`, `wrong_second_factor`, and what `carryOut` refuses.
 */
async function decideAsset(
  context: Context,
  { operatorId }: Decider,
  { symbol, version, otp }: AssetVerdict,
  carryOut: (tx: Tx) => Promise<void>,
): Promise<ConsoleAsset> {
  const { db } = context;
  const seen = await findAsset(db, symbol);
  if (seen === undefined) throw new Refused('asset_not_found');
  if (seen.version !== version) throw new Refused('asset_changed');
  if (otp !== undefined) await confirmOperator(db, operatorId, otp, context.now());
  await inTransaction(db, carryOut);
  const decided = (await showAssets(db)).find((asset) => asset.symbol === symbol);
  assert(decided, `${symbol} was decided about`);
  return decided;
}
