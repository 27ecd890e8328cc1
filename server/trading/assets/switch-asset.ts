import type { ConsoleAsset } from '#contract/operator/assets.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { lockSeenAsset, setAssetActive } from '#server/market/index.ts';
import { type AssetVerdict, decideAsset } from './decide-asset.ts';

export type AssetSwitch = AssetVerdict & {
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
