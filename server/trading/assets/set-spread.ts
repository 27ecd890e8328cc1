import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { changeSpread } from '#server/market/index.ts';
import { type AssetVerdict, decideAsset } from './decide-asset.ts';

export type SpreadVerdict = AssetVerdict & {
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
