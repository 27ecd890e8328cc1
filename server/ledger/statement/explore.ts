import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { findRow, getRow, listRows } from '#server/db/rows.ts';
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

/** One end of a transfer; the house has no member and keeps no balance after. */
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

/** Absent filters do not filter. `from` is included, `to` is not; both are real time. */
export type TransferQuery = {
  readonly account?: AccountClass | undefined;
  readonly memberId?: bigint | undefined;
  readonly reason?: Reason | undefined;
  readonly reference?: string | undefined;
  /** Whole keys, or their beginnings up to and with a slash; one of them fits. */
  readonly keys?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only ids below. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** `nextBefore` is what `before` takes for what follows; null at the end. A page may be short, or empty, and not the last. */
export type TransferPage = { readonly transfers: readonly ExploredTransfer[]; readonly nextBefore: bigint | null };

/** So many transfers of a beginning of keys are put in order, and so many that no index points to are looked through. */
const MOST_KEYS = 1_000;
const STRETCH = 100_000n;

/**
 * Transfers of everybody, newest first, for the ledger explorer. By keys, if they are few, or by member, an index finds them;
 * anything else is searched a stretch of ids at a time, so that no call reads more than that, however rare what it looks for is.
 */
export async function listTransferPage(db: Db, query: TransferQuery): Promise<TransferPage> {
  const found =
    (query.keys && (await byKeys(db, query, query.keys))) ??
    (await (query.memberId === undefined ? byStretch(db, query) : byMember(db, query, query.memberId)));
  return { transfers: found.rows.filter((row) => passes(row, query)).map(explored), nextBefore: found.nextBefore };
}

type Found = { readonly rows: readonly Row[]; readonly nextBefore: bigint | null };

/** Undefined where too many transfers have such keys to be put in order. */
async function byKeys(
  db: Db,
  { before, limit, ...query }: TransferQuery,
  keys: readonly string[],
): Promise<Found | undefined> {
  const rows = await listTransfersWithKeys(db, keys, MOST_KEYS + 1);
  if (rows.length > MOST_KEYS) return undefined;
  const found = rows
    .filter((row) => (before === undefined || row.id < before) && passes(row, query))
    .sort((one, other) => (one.id > other.id ? -1 : 1));
  return cut(found, limit);
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
  return cut(await listTransferRows(db, ids.slice(0, limit + 1)), limit);
}

async function byStretch(db: Db, query: TransferQuery): Promise<Found> {
  const { account, before, limit, ...filter } = query;
  const whole = await findStretch(db, query.from, query.to);
  const beforeId = before !== undefined && before < whole.beforeId ? before : whole.beforeId;
  const fromId = beforeId - STRETCH > whole.fromId ? beforeId - STRETCH : whole.fromId;
  const rows = await listStretch(
    db,
    { fromId, beforeId },
    { ...filter, class: account && numberOf(account), isHouse: account !== undefined && account in houseClasses },
    limit + 1,
  );
  const page = cut(rows, limit);
  if (page.nextBefore !== null) return page;
  return { rows, nextBefore: fromId > whole.fromId ? fromId : null };
}

function cut(rows: readonly Row[], limit: number): Found {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextBefore: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const numberOf = (account: AccountClass): number => ({ ...memberClasses, ...houseClasses })[account];

/** What the way in which rows were found did not ask for. */
function passes(row: Row, query: Omit<TransferQuery, 'before' | 'limit'>): boolean {
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

/** One transfer with what became of it; undefined when there is none. */
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
  const reversal = await findRow(db)<{ id: bigint }>`select id from ledger.transfer where reverses = ${id}`;
  return {
    transfer: explored(row),
    hash: row.hash.toString('hex'),
    reversedBy: reversal?.id ?? null,
    seal: (await findSealOf(db, row.tx)) ?? null,
  };
}

const explored = (row: Row): ExploredTransfer => ({
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

/** The transfers with these keys; of a key that ends in a slash all that begin with it, at most so many, in the order of keys. */
const listTransfersWithKeys = (db: Db, keys: readonly string[], most: number): Promise<Row[]> =>
  listRows(db)`
    select ${columns} from ledger.transfer t where ${hasKey(keys)} order by t.key limit ${most}`;

/** SQL for whether `t` has one of these keys. In the order of bytes, which the index of keys is in, `0` follows `/`. */
const hasKey = (keys: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    keys.map((key) =>
      key.endsWith('/') ? sql`t.key >= ${key} and t.key < ${`${key.slice(0, -1)}0`}` : sql`t.key = ${key}`,
    ),
    sql` or `,
  )})`;

type Stretch = { readonly fromId: bigint; readonly beforeId: bigint };

/** What the ids of a period are within; near its ends the instants themselves decide (ledger.first_transfer_since). */
const findStretch = (db: Db, from: Date | undefined, to: Date | undefined): Promise<Stretch> =>
  getRow(db)`
    select coalesce(ledger.first_transfer_since(${from ?? null}::timestamptz - interval '1 hour'), 1) as "fromId",
      coalesce(ledger.first_transfer_since(${to ?? null}::timestamptz + interval '1 hour'),
        (select coalesce(max(id), 0) + 1 from ledger.transfer)) as "beforeId"`;

type StretchFilter = {
  /** Number of an account's class; of the house it is the account's id. */
  readonly class?: number | undefined;
  readonly isHouse: boolean;
  readonly reason?: Reason | undefined;
  readonly reference?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/** The newest of a stretch of ids that pass the filter: however few there are, no more rows than the stretch has are read. */
const listStretch = (db: Db, { fromId, beforeId }: Stretch, filter: StretchFilter, limit: number): Promise<Row[]> =>
  listRows(db)`
    select ${columns} from ledger.transfer t
    where t.id >= ${fromId} and t.id < ${beforeId} and ${ofAccount(filter)}
      and ${filter.reason === undefined ? sql`true` : sql`t.reason = ${filter.reason}::ledger.reason`}
      and ${filter.reference === undefined ? sql`true` : sql`t.reference = ${filter.reference}`}
      and ${filter.keys === undefined ? sql`true` : hasKey(filter.keys)}
      and ${filter.from === undefined ? sql`true` : sql`t.created_at >= ${filter.from}`}
      and ${filter.to === undefined ? sql`true` : sql`t.created_at < ${filter.to}`}
    order by t.id desc limit ${limit}`;

function ofAccount({ class: number, isHouse }: StretchFilter): RawBuilder<unknown> {
  if (number === undefined) return sql`true`;
  if (isHouse) return sql`(t.from_account = ${number}::bigint or t.to_account = ${number}::bigint)`;
  return sql`(t.from_account & 31 = ${number}::bigint or t.to_account & 31 = ${number}::bigint)`;
}
