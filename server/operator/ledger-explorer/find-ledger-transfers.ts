import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleLedger, LedgerTransfer } from '#contract/operator/ledger.ts';
import { type Reference, readReference } from '#contract/references.ts';
import { findProposalId } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { findDepositOwner, findWithdrawalOwner } from '#server/funds/index.ts';
import { listTransferPage, type TransferQuery } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { showTransfers } from './show-transfers.ts';

type ListTransfers = typeof consoleLedger.listLedgerTransfers;
export type TransferFilter = Omit<QueryOf<ListTransfers>, 'limit' | 'cursor' | 'format'>;

/** A page of transfers, newest first. Refuses `period_turned`. */
export async function findLedgerTransfers(
  { db }: Context,
  { cursor, limit, ...filter }: Omit<QueryOf<ListTransfers>, 'format'>,
): Promise<DataOf<ListTransfers>> {
  const query = await readFilter(db, filter);
  const { items, before } = await readTransfers(db, { ...query, before: readIdCursor(cursor), limit });
  return { items, next_cursor: before?.toString() ?? null };
}

export type ReadFilter = Omit<TransferQuery, 'before' | 'limit'>;

export async function readTransfers(
  db: Db,
  query: TransferQuery,
): Promise<{ items: LedgerTransfer[]; before: bigint | null }> {
  const { transfers, nextBefore } = await listTransferPage(db, query);
  return { items: await showTransfers(db, transfers), before: nextBefore };
}

/**
 * What was asked for as the ledger asks for it. A reference that says whose keys its transfers have is found by them, in an
 * index, instead of being searched for.
 */
export async function readFilter(db: Db, filter: TransferFilter): Promise<ReadFilter> {
  const [from, to] = [filter.from, filter.to].map((text) => (text === undefined ? undefined : new Date(text)));
  if (from !== undefined && to !== undefined && to <= from) throw new Refused('period_turned');
  return {
    account: filter.account,
    memberId: filter.member_id === undefined ? undefined : BigInt(filter.member_id),
    reason: filter.reason,
    reference: filter.reference,
    key: filter.key ?? (filter.reference && (await findKey(db, filter.reference))),
    from,
    to,
  };
}

/** `trade/17/` for `trade 17`; undefined for references whose transfers have keys of many kinds. */
async function findKey(db: Db, text: string): Promise<string | undefined> {
  const reference = readReference(text);
  if (reference === undefined) return undefined;
  const { kind } = reference;
  if (kind === 'trade') return `trade/${reference.text}/`;
  const id = await idOf[kind]?.(db, reference.text);
  return id === undefined ? undefined : `${kind}/${id}/`;
}

const idOf: Partial<Record<Reference['kind'], (db: Db, text: string) => Promise<bigint | undefined>>> = {
  deposit: async (db, text) => (await findDepositOwner(db, text))?.id,
  withdrawal: async (db, text) => (await findWithdrawalOwner(db, text))?.id,
  adjustment: findProposalId,
  treasury: findProposalId,
};
