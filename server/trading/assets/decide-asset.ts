import { strict as assert } from 'node:assert';
import type { OperatorCode } from '#contract/fields.ts';
import { type ConsoleAsset, consoleAssets } from '#contract/operator/assets.ts';
import { operators } from '#server/accounts/index.ts';
import { actingAs, decide, type OperatorActor } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { changeSpread, findAsset, lockSeenAsset, setAssetActive } from '#server/market/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { showAssets } from './show-assets.ts';

type AssetSwitch = AssetDecision & {
  readonly active: boolean;
  readonly why: string;
};

/**
 * Switches trading in an asset off or on (docs/product.md, section 3). Off: no new orders, queued trades are cancelled,
 * plans pause at the opening, and open positions settle as usual. Only switching on requires the second factor, because
 * a stop must never wait for a phone.
 *
 * @throws Refused asset_not_found, asset_changed, second_factor_missing, wrong_second_factor
 */
export function switchAsset(context: Context, actor: OperatorActor, decision: AssetSwitch): Promise<ConsoleAsset> {
  const { symbol, active, why } = decision;
  return decideAsset(context, actor, decision, async (tx) => {
    const before = await lockSeenAsset(tx, decision);
    if (before.active === active) return;
    await setAssetActive(tx, symbol, active);
    await writeAudit(tx, {
      ...actingAs(actor),
      action: active ? 'asset.on' : 'asset.off',
      subject: `asset:${symbol}`,
      before: { active: before.active },
      after: { active, why },
    });
  });
}

type SpreadDecision = AssetDecision & {
  readonly spread_bps: number;
  readonly why: string;
};

/**
 * Sets an asset's spread from the next session on; an open session keeps its own (docs/product.md, section 3).
 *
 * @throws Refused asset_not_found, asset_changed, spread_unchanged, second_factor_missing, wrong_second_factor
 */
export function setSpread(context: Context, actor: OperatorActor, decision: SpreadDecision): Promise<ConsoleAsset> {
  const { symbol, version, spread_bps: spreadBps, why } = decision;
  return decideAsset(context, actor, decision, async (tx) => {
    const { inForceBps, nextBps } = await changeSpread(tx, {
      symbol,
      version,
      spreadBps,
      reason: why,
      operatorId: actor.operatorId,
      at: context.now(),
    });
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'asset.spread',
      subject: `asset:${symbol}`,
      before: { inForceBps, nextBps },
      after: { inForceBps, nextBps: spreadBps, why },
    });
  });
}

/** The asset and the version the operator saw; `otp` for decisions that require the second factor. */
type AssetDecision = { readonly symbol: string; readonly version: number; readonly otp?: OperatorCode };

/** Checks the version before the code is consumed, so a stale page costs no code; `execute` rechecks under a lock. */
async function decideAsset(
  context: Context,
  actor: OperatorActor,
  { symbol, version, otp }: AssetDecision,
  execute: (tx: Tx) => Promise<void>,
): Promise<ConsoleAsset> {
  const precheck = async (db: Db) => {
    const seen = orRefuse(await findAsset(db, symbol), 'asset_not_found');
    if (seen.version !== version) throw new Refused('asset_changed');
  };
  if (otp === undefined) {
    await precheck(context.db);
    await inTransaction(context.db, execute);
  } else {
    const roles = consoleAssets.changeSpread.access;
    await decide(context, actor, { operators, roles, otp, precheck, lock: async () => undefined, execute });
  }
  const decided = (await showAssets(context)).find((asset) => asset.symbol === symbol);
  assert(decided, `${symbol} was decided about`);
  return decided;
}
