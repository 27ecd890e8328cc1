import { type CsvCell, csvLines } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type {
  consoleLedger,
  LedgerInclusion,
  LedgerSeal,
  LedgerTransfer,
  LedgerTransferDetail,
} from '#contract/operator/ledger.ts';
import { type Contact, listContacts, memberSearch, nameMember } from '#server/accounts/index.ts';
import { findProposalId } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findDepositOwner, findWithdrawalOwner, networkFeeKey } from '#server/funds/index.ts';
import { getBalanceSheet } from '#server/income/index.ts';
import {
  type ExploredTransfer,
  findExploredTransfer,
  listSealPage,
  listTransferPage,
  proveInclusion,
  type ShownSeal,
  type TransferQuery,
  type TransferSide,
} from '#server/ledger/index.ts';
import { readPeriod } from '#server/read-period.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { findCoinSaleId } from '#server/trading/index.ts';
import { type Reference, readReference } from '../core/search-terms.ts';

type ListTransfers = typeof consoleLedger.listLedgerTransfers;
type TransferFilter = Omit<QueryOf<ListTransfers>, 'limit' | 'cursor' | 'format'>;

/** A page of transfers, newest first. Refuses `period_turned`. */
export async function findLedgerTransfers(
  { db }: Context,
  { cursor, limit, ...filter }: Omit<QueryOf<ListTransfers>, 'format'>,
): Promise<DataOf<ListTransfers>> {
  const query = await readFilter(db, filter);
  const { items, before } = await readTransfers(db, { ...query, before: readIdCursor(cursor), limit });
  return { items, next_cursor: before?.toString() ?? null };
}

type ReadFilter = Omit<TransferQuery, 'before' | 'limit'>;

async function readTransfers(
  db: Db,
  query: TransferQuery,
): Promise<{ items: LedgerTransfer[]; before: bigint | null }> {
  const { transfers, nextBefore } = await listTransferPage(db, query);
  return { items: await showTransfers(db, transfers), before: nextBefore };
}

/**
 * The filter in the ledger's terms. A reference whose transfers share a key prefix is looked up by it in an index
 * instead of being searched for.
 */
async function readFilter(db: Db, filter: TransferFilter): Promise<ReadFilter> {
  return {
    account: filter.account,
    memberId: filter.registered_id === undefined ? undefined : await findMemberId(db, filter.registered_id),
    reason: filter.reason,
    reference: filter.reference,
    keys: await readKeys(db, filter),
    ...readPeriod(filter),
  };
}

async function findMemberId(db: Db, registeredId: string): Promise<bigint> {
  const [id] = await memberSearch.listIdsByCode(db, registeredId.toUpperCase());
  if (id === undefined)
    throw new Refused('validation', { field: 'registered_id', reason: 'No member has this Registered Id.' });
  return id;
}

async function readKeys(db: Db, { key, reference }: TransferFilter): Promise<readonly string[] | undefined> {
  if (key !== undefined) return [key];
  return reference === undefined ? undefined : findKeys(db, reference);
}

/** `['trade/17/']` for `trade 17`; undefined for references whose transfers have no common key prefix. */
async function findKeys(db: Db, text: string): Promise<string[] | undefined> {
  const reference = readReference(text);
  return reference && (await keysOf[reference.kind]?.(db, reference.text));
}

const keysOf: Partial<Record<Reference['kind'], (db: Db, text: string) => Promise<string[] | undefined>>> = {
  trade: async (_db, id) => [`trade/${id}/`],
  deposit: async (db, text) => {
    const id = (await findDepositOwner(db, text))?.id;
    return id === undefined ? undefined : [`deposit/${id}/`];
  },
  withdrawal: async (db, text) => {
    const id = (await findWithdrawalOwner(db, text))?.id;
    return id === undefined ? undefined : [`withdrawal/${id}/`, networkFeeKey(id)];
  },
  adjustment: async (db, text) => {
    const id = await findProposalId(db, text);
    return id === undefined ? undefined : [`adjustment/${id}/`];
  },
  treasury: async (db, text) => {
    const [id, saleId] = [await findProposalId(db, text), await findCoinSaleId(db, text)];
    if (id === undefined) return undefined;
    return [`treasury/${id}/`, ...(saleId === undefined ? [] : [`coin-sale/${saleId}/`])];
  },
};

/** One transfer with its reversal and seal. Refuses `transfer_not_found`. */
export async function getLedgerTransfer({ db }: Context, id: bigint): Promise<LedgerTransferDetail> {
  const found = orRefuse(await findExploredTransfer(db, id), 'transfer_not_found');
  const [shown] = await showTransfers(db, [found.transfer]);
  return {
    ...(shown as LedgerTransfer),
    hash: found.hash,
    reversed_by: found.reversedBy?.toString() ?? null,
    seal: found.seal && showSeal(found.seal),
  };
}

/** The Merkle path from a transfer to the root of its seal. Refuses `transfer_not_found`, `transfer_not_sealed`. */
export async function getLedgerInclusion({ db }: Context, id: bigint): Promise<LedgerInclusion> {
  const inclusion = orRefuse(await proveInclusion(db, id), 'transfer_not_found');
  if (inclusion === null) throw new Refused('transfer_not_sealed');
  const { leaf, index, leaves, root, included } = inclusion;
  return {
    leaf,
    hash_fits: inclusion.hashFits,
    index,
    leaves,
    path: inclusion.path.map(({ side, hash }) => ({ side, hash })),
    root,
    included,
    seal: showSeal(inclusion.seal),
  };
}

const ROWS_PER_BATCH = 1_000;
const MAX_ROWS = 100_000;

const head = [
  'Transfer',
  'Posted (UTC)',
  'Market time (UTC)',
  'From',
  'From member',
  'To',
  'To member',
  'Amount (USD)',
  'Reason',
  'Reference',
  'Key',
  'Note',
  'Reverses',
];

/**
 * The transfers that match a filter as CSV text, newest first; if there are more than the file may hold, its last line
 * says so. Refuses `period_turned`, before the first line.
 */
export async function writeLedgerTransfers(
  context: Context,
  filter: TransferFilter,
  maxRows = MAX_ROWS,
): Promise<{ readonly name: string; readonly text: AsyncIterable<string> }> {
  return { name: 'transfers.csv', text: writeRows(context, await readFilter(context.db, filter), maxRows) };
}

async function* writeRows({ db }: Context, filter: ReadFilter, maxRows: number): AsyncGenerator<string> {
  yield csvLines([head]);
  let written = 0;
  let before: bigint | undefined;
  do {
    const page = await readTransfers(db, { ...filter, before, limit: ROWS_PER_BATCH });
    const items = page.items.slice(0, maxRows - written);
    yield csvLines(items.map(cellsOf));
    written += items.length;
    before = page.before ?? undefined;
    if (items.length < page.items.length)
      return yield csvLines([[`There are more than these ${maxRows} transfers. Search for a shorter period.`]]);
  } while (before !== undefined);
}

const cellsOf = (transfer: LedgerTransfer): CsvCell[] => [
  transfer.id,
  transfer.created_at,
  transfer.market_at,
  transfer.from.account,
  transfer.from.member?.referral_code ?? null,
  transfer.to.account,
  transfer.to.member?.referral_code ?? null,
  transfer.amount,
  transfer.reason,
  transfer.reference,
  transfer.key,
  transfer.note,
  transfer.reverses,
];

/** Transfers with the names of their members, in the given order. */
async function showTransfers(db: Db, transfers: readonly ExploredTransfer[]): Promise<LedgerTransfer[]> {
  const ids = transfers.flatMap(({ from, to }) => [from.memberId, to.memberId]).filter((id) => id !== null);
  const contacts = await listContacts(db, [...new Set(ids)]);
  return transfers.map((transfer) => ({
    id: transfer.id.toString(),
    from: showSide(transfer.from, contacts),
    to: showSide(transfer.to, contacts),
    amount: toDollars(transfer.amountMicros),
    reason: transfer.reason,
    reference: transfer.reference,
    key: transfer.key,
    note: transfer.note,
    reverses: transfer.reverses?.toString() ?? null,
    market_at: transfer.marketAt.toISOString(),
    created_at: transfer.createdAt.toISOString(),
  }));
}

function showSide(side: TransferSide, contacts: ReadonlyMap<bigint, Contact>): LedgerTransfer['from'] {
  const contact = side.memberId === null ? undefined : contacts.get(side.memberId);
  return {
    account: side.account,
    member: contact ? nameMember(contact) : null,
    balance_after: dollarsOrNull(side.balanceAfterMicros),
  };
}

const showSeal = (seal: ShownSeal): LedgerSeal => ({
  no: seal.no.toString(),
  sealed_at: seal.sealedAt.toISOString(),
  transfers: Number(seal.transferCount),
  root: seal.root,
  previous_hash: seal.previousHash,
  hash: seal.hash,
});

type Accounts = DataOf<typeof consoleLedger.listLedgerAccounts>;

/** The balances of all accounts in one snapshot; members' accounts are summed by class. */
export async function listLedgerAccounts({ db }: Context): Promise<Accounts> {
  const { accounts } = await inSnapshot(db, getBalanceSheet);
  return {
    items: accounts.map(({ name, group, micros }) => ({
      account: name as Accounts['items'][number]['account'],
      group,
      amount: toDollars(micros),
    })),
  };
}

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
