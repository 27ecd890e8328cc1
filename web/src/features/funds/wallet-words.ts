import type { StatementWallet } from '#contract/funds.ts';

/** The member-facing words for the member's ledger accounts. */
export const walletWords: Record<StatementWallet, string> = {
  primary: 'Primary Wallet',
  profit: 'Profit Wallet',
  in_trades: 'In trades',
  invested: 'In plans',
  on_hold: 'On hold',
};

/** The same where there is little room, on a phone. */
export const shortWalletWords: Record<StatementWallet, string> = {
  ...walletWords,
  primary: 'Primary',
  profit: 'Profit',
};

/** The summary call names wallets by plain text; one without words is shown as it came. */
export const wordsOfWallet = (wallet: string): string =>
  Object.hasOwn(walletWords, wallet) ? walletWords[wallet as StatementWallet] : wallet;
