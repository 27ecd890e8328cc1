import type { Statement } from '#contract/funds/deposits.ts';
import type { StatementWallet } from '#contract/ledger-reasons.ts';
import { sumDollars } from '../../../ui/format/number.ts';

type Figures = { opening: number; received: number; spent: number; closing: number };

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
    opening: sumDollars(shown.map((one) => one.opening)),
    received: statement.received,
    spent: statement.spent,
    closing: sumDollars(shown.map((one) => one.closing)),
  };
}
