import { toDollars } from '#contract/money.ts';
import { consoleTreasury, type TreasuryMove } from '#contract/operator/proposals.ts';
import type { Db } from '#server/db/connect.ts';
import { listDeciders, showProposal } from '../show-proposal.ts';
import type { TreasuryMoveRow } from './treasury-move-sql.ts';

/** Moves with the names of who recorded and decided them, in the order they are given. */
export async function showTreasuryMoves(db: Db, rows: readonly TreasuryMoveRow[]): Promise<TreasuryMove[]> {
  const deciders = await listDeciders(db, rows);
  return rows.map((row) => ({
    ...showProposal(row, deciders, consoleTreasury.approveTreasuryMove.access),
    transfer_id: row.transfer_id?.toString() ?? null,
    kind: row.kind,
    source: row.source,
    amount: toDollars(row.amount_micros),
    transaction: row.transaction,
  }));
}

export async function showTreasuryMove(db: Db, row: TreasuryMoveRow): Promise<TreasuryMove> {
  const [shown] = await showTreasuryMoves(db, [row]);
  return shown as TreasuryMove;
}
