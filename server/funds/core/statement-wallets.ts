import type { StatementWallet } from '#contract/funds/deposits.ts';

/** The ledger's classes of a member's accounts, as the statement names them. */
export const walletOf = {
  primary: 'primary',
  profit: 'profit',
  trade_escrow: 'in_trades',
  investment: 'invested',
  withdrawal_hold: 'on_hold',
} as const satisfies Record<string, StatementWallet>;

type WalletClass = keyof typeof walletOf;

/** The account behind a wallet: `classOfWallet.in_trades === 'trade_escrow'`. */
export const classOfWallet = Object.fromEntries(
  Object.entries(walletOf).map(([name, wallet]) => [wallet, name]),
) as Record<StatementWallet, WalletClass>;
