import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleLedger } from '#contract/operator/ledger.ts';
import type { Context } from '#server/context.ts';
import { listSealPage } from '#server/ledger/index.ts';
import { readCursor } from '../read-cursor.ts';
import { showSeal } from './show-transfers.ts';

type ListSeals = typeof consoleLedger.listLedgerSeals;

/** A page of seals, newest first. */
export async function listLedgerSeals(
  { db }: Context,
  { cursor, limit }: QueryOf<ListSeals>,
): Promise<DataOf<ListSeals>> {
  const found = await listSealPage(db, readCursor(cursor), limit + 1);
  const shown = found.slice(0, limit);
  return {
    items: shown.map(showSeal),
    next_cursor: found.length > limit ? (shown.at(-1)?.no.toString() ?? null) : null,
  };
}
