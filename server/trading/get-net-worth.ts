import type { Db } from '#server/db/connect.ts';
import { getMemberTotals } from '#server/ledger/index.ts';
import { listPositions, type Position } from './portfolio-sql.ts';
import { type Quotes, readQuotes } from './show-trade.ts';

export type NetWorth = {
  /** All ledger accounts of the member and what open positions would change in them. */
  readonly valueMicros: bigint;
  /** Deposits less withdrawals. */
  readonly putInMicros: bigint;
  readonly positions: readonly Position[];
};

/** What a member has, open positions at what selling them now would give (product.md section 3, Portfolio). */
export async function getNetWorth(db: Db, memberId: bigint, quotes?: Quotes): Promise<NetWorth> {
  const [totals, positions] = await Promise.all([
    getMemberTotals(db, memberId),
    listPositions(db, memberId, quotes ?? (await readQuotes(db))),
  ]);
  const change = positions.reduce((sum, position) => sum + position.change, 0n);
  return { valueMicros: totals.balanceMicros + change, putInMicros: totals.putInMicros, positions };
}
