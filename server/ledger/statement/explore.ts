import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { findRow, findValue, getRow, listRows } from '#server/db/rows.ts';
import {
  type AccountClass,
  classOf,
  houseClasses,
  isMemberAccount,
  type MemberClass,
  memberClasses,
  memberOf,
} from '../core/account.ts';
import type { Reason } from '../core/flow.ts';
import { findSealOf, type ShownSeal } from '../seals/find-seals.ts';
import { listStatement } from './statement.ts';

/** One side of a transfer. A house account has no member and stores no balance after. */
export type TransferSide = {
  readonly account: AccountClass;
  readonly memberId: bigint | null;
  readonly balanceAfterMicros: bigint | null;
};

export type ExploredTransfer = {
  readonly id: bigint;
  readonly from: TransferSide;
  readonly to: TransferSide;
  readonly amountMicros: bigint;
  readonly reason: Reason;
  readonly reference: string;
  readonly key: string;
  readonly note: string | null;
  readonly reverses: bigint | null;
  readonly marketAt: Date;
  readonly createdAt: Date;
};

/** Absent filters do not filter. `from` is inclusive, `to` exclusive; both are real time. */
export type TransferQuery = {
  readonly account?: AccountClass | undefined;
  readonly memberId?: bigint | undefined;
  readonly reason?: Reason | undefined;
  readonly reference?: string | undefined;
  /** Exact keys, or prefixes that end in a slash; any of them matches. */
  readonly keys?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only ids below. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** `nextBefore` is the `before` of the next page, null at the end. A short or empty page need not be the last. */
export type TransferPage = { readonly transfers: readonly ExploredTransfer[]; readonly nextBefore: bigint | null };

/** More transfers under a key prefix are not sorted, but found by id range. */
const MAX_SORTED = 1_000;
/** Ids that one call scans at most where no index matches the filter. */
const RANGE_SIZE = 100_000n;

/**
 * Transfers of all accounts, newest first, for the ledger explorer. An index finds them by key, if they are few, or by
 * member. Anything else scans a limited range of ids per call, so even a filter that hardly matches stays cheap.
 */
export async function listTransferPage(db: Db, query: TransferQuery): Promise<TransferPage> {
  const found =
    (query.keys && (await byKeys(db, query, query.keys))) ??
    (await (query.memberId === undefined ? byIdRange(db, query) : byMember(db, query, query.memberId)));
  return { transfers: found.rows.filter((row) => matches(row, query)).map(toExplored), nextBefore: found.nextBefore };
}

type Found = { readonly rows: readonly Row[]; readonly nextBefore: bigint | null };

/** Undefined if too many transfers have such keys to sort them. */
async function byKeys(
  db: Db,
  { before, limit, ...query }: TransferQuery,
  keys: readonly string[],
): Promise<Found | undefined> {
  const rows = await listTransfersWithKeys(db, keys, MAX_SORTED + 1);
  if (rows.length > MAX_SORTED) return undefined;
  const found = rows
    .filter((row) => (before === undefined || row.id < before) && matches(row, query))
    .sort((one, other) => (one.id > other.id ? -1 : 1));
  return toPage(found, limit);
}

async function byMember(db: Db, query: TransferQuery, memberId: bigint): Promise<Found> {
  const { account, reason, from, to, before, limit } = query;
  const lines = await listStatement(db, {
    memberId,
    classes: account !== undefined && account in memberClasses ? [account as MemberClass] : undefined,
    reasons: reason === undefined ? undefined : [reason],
    from,
    to,
    before: before === undefined ? undefined : before * 2n,
    // A transfer between two accounts of the member is two lines.
    limit: 2 * (limit + 1),
  });
  const ids = [...new Set(lines.map((line) => line.transferId))];
  return toPage(await listTransferRows(db, ids.slice(0, limit + 1)), limit);
}

async function byIdRange(db: Db, query: TransferQuery): Promise<Found> {
  const { account, before, limit, ...filter } = query;
  const full = await findIdRange(db, query.from, query.to);
  const beforeId = before !== undefined && before < full.beforeId ? before : full.beforeId;
  const fromId = beforeId - RANGE_SIZE > full.fromId ? beforeId - RANGE_SIZE : full.fromId;
  const rows = await listInRange(
    db,
    { fromId, beforeId },
    { ...filter, class: account && numberOf(account), isHouse: account !== undefined && account in houseClasses },
    limit + 1,
  );
  const page = toPage(rows, limit);
  if (page.nextBefore !== null) return page;
  return { rows, nextBefore: fromId > full.fromId ? fromId : null };
}

function toPage(rows: readonly Row[], limit: number): Found {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextBefore: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const numberOf = (account: AccountClass): number => ({ ...memberClasses, ...houseClasses })[account];

/** Applies the filters that the query did not. */
function matches(row: Row, query: Omit<TransferQuery, 'before' | 'limit'>): boolean {
  const ends = [row.fromAccount, row.toAccount];
  const { account, memberId, reason, reference, keys, from, to } = query;
  return (
    (keys === undefined || keys.some((key) => row.key === key || (key.endsWith('/') && row.key.startsWith(key)))) &&
    (account === undefined || ends.some((id) => classOf(id) === account)) &&
    (memberId === undefined || ends.some((id) => memberOf(id) === memberId)) &&
    (reason === undefined || row.reason === reason) &&
    (reference === undefined || row.reference === reference) &&
    (from === undefined || row.createdAt >= from) &&
    (to === undefined || row.createdAt < to)
  );
}

/** One transfer with its reversal and its seal; undefined if there is none. */
export async function findExploredTransfer(
  db: Db,
  id: bigint,
): Promise<
  | {
      readonly transfer: ExploredTransfer;
      readonly hash: string;
      readonly reversedBy: bigint | null;
      readonly seal: ShownSeal | null;
    }
  | undefined
> {
  const row = await findTransferRow(db, id);
  if (row === undefined) return undefined;
  const reversal = await findValue(db)<bigint>`select id from ledger.transfer where reverses = ${id}`;
  return {
    transfer: toExplored(row),
    hash: row.hash.toString('hex'),
    reversedBy: reversal ?? null,
    seal: (await findSealOf(db, row.tx)) ?? null,
  };
}

const toExplored = (row: Row): ExploredTransfer => ({
  ...row,
  from: sideOf(row.fromAccount, row.fromBalanceAfter),
  to: sideOf(row.toAccount, row.toBalanceAfter),
});

const sideOf = (account: bigint, balanceAfterMicros: bigint | null): TransferSide => ({
  account: classOf(account),
  memberId: isMemberAccount(account) ? memberOf(account) : null,
  balanceAfterMicros,
});

type Row = Omit<ExploredTransfer, 'from' | 'to'> & {
  readonly fromAccount: bigint;
  readonly toAccount: bigint;
  readonly fromBalanceAfter: bigint | null;
  readonly toBalanceAfter: bigint | null;
  readonly tx: bigint;
  readonly hash: Buffer;
};

const columns = sql`
  t.id, t.from_account as "fromAccount", t.to_account as "toAccount", t.amount as "amountMicros",
  t.from_balance_after as "fromBalanceAfter", t.to_balance_after as "toBalanceAfter", t.reverses, t.tx,
  t.market_at as "marketAt", t.created_at as "createdAt", t.reason, t.key, t.reference, t.note, t.hash`;

export const findTransferRow = (db: Db, id: bigint): Promise<Row | undefined> =>
  findRow(db)`select ${columns} from ledger.transfer t where t.id = ${id}`;

/** Newest first. */
const listTransferRows = (db: Db, ids: readonly bigint[]): Promise<Row[]> =>
  listRows(db)`
    select ${columns} from ledger.transfer t where t.id = any(${ids}::bigint[]) order by t.id desc`;

/** The transfers with these keys, or with keys that begin with one that ends in a slash, in key order. */
const listTransfersWithKeys = (db: Db, keys: readonly string[], limit: number): Promise<Row[]> =>
  listRows(db)`
    select ${columns} from ledger.transfer t where ${hasKey(keys)} order by t.key limit ${limit}`;

/** SQL for whether `t` has one of these keys. The index sorts keys by byte, where `0` follows `/`. */
const hasKey = (keys: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    keys.map((key) =>
      key.endsWith('/') ? sql`t.key >= ${key} and t.key < ${`${key.slice(0, -1)}0`}` : sql`t.key = ${key}`,
    ),
    sql` or `,
  )})`;

type IdRange = { readonly fromId: bigint; readonly beforeId: bigint };

/** Bounds of the ids in a period. Near its ends the instants decide (`ledger.first_transfer_since`). */
const findIdRange = (db: Db, from: Date | undefined, to: Date | undefined): Promise<IdRange> =>
  getRow(db)`
    select coalesce(ledger.first_transfer_since(${from ?? null}::timestamptz - interval '1 hour'), 1) as "fromId",
      coalesce(ledger.first_transfer_since(${to ?? null}::timestamptz + interval '1 hour'),
        (select coalesce(max(id), 0) + 1 from ledger.transfer)) as "beforeId"`;

type RangeFilter = Pick<TransferQuery, 'reason' | 'reference' | 'keys' | 'from' | 'to'> & {
  /** The class number; for a house account that is its id. */
  readonly class?: number | undefined;
  readonly isHouse: boolean;
};

/** The newest transfers in a range of ids that match the filter. Never reads outside the range. */
const listInRange = (db: Db, { fromId, beforeId }: IdRange, filter: RangeFilter, limit: number): Promise<Row[]> =>
  listRows(db)`
    select ${columns} from ledger.transfer t
    where t.id >= ${fromId} and t.id < ${beforeId} and ${ofAccount(filter)}
      and ${filter.reason === undefined ? sql`true` : sql`t.reason = ${filter.reason}::ledger.reason`}
      and ${filter.reference === undefined ? sql`true` : sql`t.reference = ${filter.reference}`}
      and ${filter.keys === undefined ? sql`true` : hasKey(filter.keys)}
      and ${filter.from === undefined ? sql`true` : sql`t.created_at >= ${filter.from}`}
      and ${filter.to === undefined ? sql`true` : sql`t.created_at < ${filter.to}`}
    order by t.id desc limit ${limit}`;

function ofAccount({ class: number, isHouse }: RangeFilter): RawBuilder<unknown> {
  if (number === undefined) return sql`true`;
  if (isHouse) return sql`(t.from_account = ${number}::bigint or t.to_account = ${number}::bigint)`;
  return sql`(t.from_account & 31 = ${number}::bigint or t.to_account & 31 = ${number}::bigint)`;
}
