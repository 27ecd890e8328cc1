import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';

const minimumRefusal = {
  primary: 'trade_under_primary_minimum',
  profit: 'trade_under_profit_minimum',
} as const satisfies Record<WalletType, RefusalCode>;

/**
 * Why a trade cannot be placed, in the order of docs/product.md, section 3, "Placing", or undefined when only the
 * balance is left to ask: a member who chose nothing hears of that first, whatever the amount. What the account or the
 * market forbids comes last, since the messages about the form are promised word for word.
 *
 * 4.999999 dollars of the primary wallet on btc: `trade_under_primary_minimum`.
 */
export function refusePlacing(asked: {
  readonly isTradable: boolean;
  readonly amount: bigint;
  readonly wallet: WalletType;
  readonly isFrozen: boolean;
  /** By the member's own pause. */
  readonly isPaused: boolean;
  /** The member's own limit of a market day's loss. */
  readonly isLossLimitReached: boolean;
  /** By operators, for everybody. */
  readonly isHalted: boolean;
  /** The exchange refuses orders of the asset. */
  readonly isAssetHalted: boolean;
  readonly marketEnded: boolean;
}): RefusalCode | undefined {
  if (!asked.isTradable) return 'trade_not_selected';
  if (asked.amount < BigInt(minimumTradeDollars[asked.wallet]) * MICROS_PER_DOLLAR) return minimumRefusal[asked.wallet];
  if (asked.isFrozen) return 'account_frozen';
  if (asked.isPaused) return 'own_pause';
  if (asked.isLossLimitReached) return 'own_loss_limit';
  if (asked.isHalted) return 'trading_halted';
  if (asked.isAssetHalted) return 'asset_halted';
  if (asked.marketEnded) return 'replay_ended';
  return undefined;
}

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
