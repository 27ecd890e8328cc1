import type { StatementWallet } from '#contract/ledger-reasons.ts';
import { walletWords, wordsOfKind } from '#contract/ledger-reasons.ts';
import { translate } from '../../../api/texts.ts';

/** In the order of a statement. */
export const walletNames = Object.keys(walletWords) as StatementWallet[];

/** The wallet call returns plain names; one without a label is shown as it is. */
export const walletLabel = (wallet: string): string =>
  Object.hasOwn(walletWords, wallet) ? translate(walletWords[wallet as StatementWallet]) : wallet;

export const kindLabel = (kind: string): string => translate(wordsOfKind(kind));
