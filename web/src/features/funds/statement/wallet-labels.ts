import type { StatementWallet } from '#contract/funds/deposits.ts';
import { walletWords } from '#contract/funds/statement-labels.ts';

export { walletWords };

/** In the order of a statement. */
export const walletNames = Object.keys(walletWords) as StatementWallet[];

/** The same where there is little room, on a phone. */
export const shortWalletWords: Record<StatementWallet, string> = {
  ...walletWords,
  primary: 'Primary',
  profit: 'Profit',
};

/** The summary call names wallets by plain text; one without words is shown as it came. */
export const wordsOfWallet = (wallet: string): string =>
  Object.hasOwn(walletWords, wallet) ? walletWords[wallet as StatementWallet] : wallet;
