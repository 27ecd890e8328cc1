import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';

const minimumRefusal = {
  primary: 'trade_under_primary_minimum',
  profit: 'trade_under_profit_minimum',
} as const satisfies Record<WalletType, RefusalCode>;

/** The smallest trade from a wallet, in micros. */
export const minimumMicros = (wallet: WalletType): bigint => BigInt(minimumTradeDollars[wallet]) * MICROS_PER_DOLLAR;

/**
 * The refusal of a trade, in the order of docs/product.md, section 3, "Placing", or undefined when only the balance
 * remains to be checked. A missing asset is reported first, whatever the amount. Restrictions of the account or the
 * market come last, because the form's messages are specified word for word.
 *
 * 4.999999 dollars of the primary wallet on btc: `trade_under_primary_minimum`.
 */
export function refusePlacing(attempt: {
  readonly isTradable: boolean;
  readonly amount: bigint;
  readonly wallet: WalletType;
  readonly isFrozen: boolean;
  /** By the member's self-imposed pause. */
  readonly isPaused: boolean;
  /** The member's self-imposed limit of the market day's loss. */
  readonly isLossLimitReached: boolean;
  /** By operators, for everyone. */
  readonly isHalted: boolean;
  /** The exchange rejects orders of the asset. */
  readonly isAssetHalted: boolean;
  readonly marketEnded: boolean;
}): RefusalCode | undefined {
  if (!attempt.isTradable) return 'trade_not_selected';
  if (attempt.amount < minimumMicros(attempt.wallet)) return minimumRefusal[attempt.wallet];
  if (attempt.isFrozen) return 'account_frozen';
  if (attempt.isPaused) return 'own_pause';
  if (attempt.isLossLimitReached) return 'own_loss_limit';
  if (attempt.isHalted) return 'trading_halted';
  if (attempt.isAssetHalted) return 'asset_halted';
  if (attempt.marketEnded) return 'replay_ended';
  return undefined;
}

/**
 * The refusal to resume a plan, or undefined. The minimum depends on the wallet that funded the plan (docs/product.md,
 * section 3): 1 dollar for the profit wallet, 5 for the primary wallet.
 */
export function refuseResuming(attempt: {
  readonly isPaused: boolean;
  readonly isTradable: boolean;
  /** The plan's balance in micros. */
  readonly cash: bigint;
  readonly wallet: WalletType;
  readonly isFrozen: boolean;
  readonly isMemberPaused: boolean;
  readonly isLossLimitReached: boolean;
  readonly isHalted: boolean;
}): RefusalCode | undefined {
  if (!attempt.isPaused) return 'plan_not_paused';
  if (!attempt.isTradable) return 'trade_not_selected';
  if (attempt.cash < minimumMicros(attempt.wallet)) return 'plan_under_minimum';
  if (attempt.isFrozen) return 'account_frozen';
  if (attempt.isMemberPaused) return 'own_pause';
  if (attempt.isLossLimitReached) return 'own_loss_limit';
  if (attempt.isHalted) return 'trading_halted';
  return undefined;
}
