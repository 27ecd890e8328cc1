import { refusals } from '#contract/refusals.ts';
import { minimumTradeDollars, type WalletType } from '#contract/rules.ts';
import type { Session } from '#contract/trading/trading.ts';
import { CallError } from '../../api/call.ts';
import { t, translate } from '../../api/texts.ts';
import { readAmount } from '../../ui/forms/read-amount.ts';

export type TradeDraft = {
  readonly tradeId: string | null;
  /** The text of the amount field. */
  readonly typed: string;
  readonly walletType: WalletType;
};

export type TradeError = { readonly field: 'tradeId' | 'amount'; readonly message: string };

const underMinimum = { primary: 'trade_under_primary_minimum', profit: 'trade_under_profit_minimum' } as const;

/**
 * The error of *Trade Now* before anything is sent, in the specification's order (points 5 and 8) and with the server's
 * messages. Null when the request may be sent. `{ tradeId: 'btc', typed: '1', walletType: 'profit' }` is valid.
 */
export function findTradeError({ tradeId, typed, walletType }: TradeDraft): TradeError | null {
  if (tradeId === null) return { field: 'tradeId', message: translate(refusals.trade_not_selected[1]) };
  const amount = readAmount(typed);
  if (typed.trim() !== '' && !amount.ok) return { field: 'amount', message: amount.message };
  if (!amount.ok || amount.dollars < minimumTradeDollars[walletType]) {
    return { field: 'amount', message: translate(refusals[underMinimum[walletType]][1]) };
  }
  return null;
}

/**
 * Why *Trade Now* is disabled (specification point 4), or null when it is enabled: the account is frozen, the member has
 * paused trading, trading is halted, the wallet is empty, or the amount exceeds its balance. While the balance is unknown
 * it is disabled as well.
 */
export function disabledReason(
  balance: number | undefined,
  amount: number | null,
  walletName: string,
  { frozen, pause, halt }: { frozen: boolean; pause: string | null; halt: Session['halt'] | undefined },
): string | null {
  if (frozen) return translate(refusals.account_frozen[1]);
  if (pause !== null) return pause;
  if (halt) return t`Trading is halted: ${halt.reason}`;
  if (balance === undefined) return t`Reading your balances.`;
  if (balance === 0) return emptyReason(walletName);
  if (amount !== null && amount > balance) return translate(refusals.insufficient_funds[1]);
  return null;
}

export const emptyReason = (walletName: string): string => t`Your ${walletName} is empty.`;

/** The server's refusal, for the field it is about; a missing response is reported as one. */
export function refusalToError(error: Error): TradeError {
  const field = error instanceof CallError && error.code === 'trade_not_selected' ? 'tradeId' : 'amount';
  return { field, message: error.message || translate(refusals.internal[1]) };
}
