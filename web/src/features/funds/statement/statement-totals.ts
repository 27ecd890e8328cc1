import type { Statement } from '#contract/funds/deposits.ts';
import type { StatementWallet } from '#contract/ledger-reasons.ts';

type Figures = { opening: number; received: number; spent: number; closing: number };

const MICROS_PER_DOLLAR = 1_000_000;

/** Dollars added as micros: as binary fractions, 0.1 and 0.2 would not be 0.3. */
export const add = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + Math.round(amount * MICROS_PER_DOLLAR), 0) / MICROS_PER_DOLLAR;

/** The wallets to list: the filtered one, or all that held or moved anything. */
export function shownWallets({ wallets }: Statement, wallet: StatementWallet | undefined): Statement['wallets'] {
  if (wallet !== undefined) return wallets.filter((one) => one.wallet === wallet);
  const moved = wallets.filter((one) => one.opening + one.received + one.spent + one.closing > 0);
  return moved.length > 0 ? moved : wallets.slice(0, 2);
}

/** The figures of one wallet or of all together. */
export function figuresOf(statement: Statement, wallet: StatementWallet | undefined): Figures {
  const shown = shownWallets(statement, wallet);
  return {
    opening: add(shown.map((one) => one.opening)),
    received: statement.received,
    spent: statement.spent,
    closing: add(shown.map((one) => one.closing)),
  };
}
