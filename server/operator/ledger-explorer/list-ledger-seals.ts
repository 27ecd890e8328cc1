import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleLedger } from '#contract/operator/ledger.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { listSealPage } from '#server/ledger/index.ts';
import { showSeal } from './ledger-transfers.ts';

type ListSeals = typeof consoleLedger.listLedgerSeals;

/** A page of seals, newest first. */
export async function listLedgerSeals(
  { db }: Context,
  { cursor, limit }: QueryOf<ListSeals>,
): Promise<DataOf<ListSeals>> {
  const found = await listSealPage(db, readIdCursor(cursor), limit + 1);
  const { rows, nextCursor } = cutPage(found, limit, ({ no }) => no);
  return { items: rows.map(showSeal), next_cursor: nextCursor };
}
