import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';

/**
 * Why a plan cannot go on, or undefined. Its minimum is that of the wallet it came from (docs/product.md, section 3):
 * what is left of a plan from the profit wallet may be 1 dollar, of one from the primary wallet 5.
 */
export function refuseResuming(asked: {
  readonly isPaused: boolean;
  readonly isTradable: boolean;
  /** What lies in the plan, in micros. */
  readonly cash: bigint;
  readonly wallet: WalletType;
  readonly isFrozen: boolean;
  readonly isMemberPaused: boolean;
  readonly isLossLimitReached: boolean;
  readonly isHalted: boolean;
}): RefusalCode | undefined {
  if (!asked.isPaused) return 'plan_not_paused';
  if (!asked.isTradable) return 'trade_not_selected';
  if (asked.cash < BigInt(minimumTradeDollars[asked.wallet]) * MICROS_PER_DOLLAR) return 'plan_under_minimum';
  if (asked.isFrozen) return 'account_frozen';
  if (asked.isMemberPaused) return 'own_pause';
  if (asked.isLossLimitReached) return 'own_loss_limit';
  if (asked.isHalted) return 'trading_halted';
  return undefined;
}
