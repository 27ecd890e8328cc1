import type { Db } from '#server/db/connect.ts';
import { getBalances } from '#server/ledger/index.ts';
import { type Quotes, readQuotes } from '../orders/show-trade.ts';
import { listPositions, type Position } from './portfolio-sql.ts';

export type NetWorth = {
  /** All ledger accounts of the member and what open positions would change in them. */
  readonly valueMicros: bigint;
  readonly positions: readonly Position[];
};

/** What a member has, open positions at what selling them now would give (docs/product.md, section 3, "Portfolio"). */
export async function getNetWorth(db: Db, memberId: bigint, quotes?: Quotes): Promise<NetWorth> {
  const [balances, positions] = await Promise.all([
    getBalances(db, memberId),
    listPositions(db, memberId, quotes ?? (await readQuotes(db))),
  ]);
  const inLedger = Object.values(balances).reduce((sum, balance) => sum + balance, 0n);
  const change = positions.reduce((sum, position) => sum + position.change, 0n);
  return { valueMicros: inLedger + change, positions };
}
