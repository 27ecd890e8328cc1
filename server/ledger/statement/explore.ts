import type { Db } from '#server/db/connect.ts';
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
import {
  type ExplorerRow,
  findReversalId,
  findStretch,
  findTransferRow,
  listStretch,
  listTransferRows,
  listTransfersWithKey,
} from './explorer-sql.ts';
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
  /** The whole key, or its beginning up to and with a slash. */
  readonly key?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Only ids below. */
  readonly before?: bigint | undefined;
  readonly limit: number;
};

/** `nextBefore` is what `before` takes for what follows; null at the end. A page may be short, or empty, and not the last. */
export type TransferPage = { readonly transfers: readonly ExploredTransfer[]; readonly nextBefore: bigint | null };

/** How many keys with one beginning are looked at, and how many transfers that no index points to. */
const MOST_KEYS = 1_000;
const STRETCH = 100_000n;

/**
 * Transfers of everybody, newest first, for who looks into the books. By key, or by member, an index finds them; anything
 * else is searched a stretch of ids at a time, so that no call reads more than that, however rare what it looks for is.
 */
export async function listTransferPage(db: Db, query: TransferQuery): Promise<TransferPage> {
  const found = await (query.key !== undefined
    ? byKey(db, query, query.key)
    : query.memberId !== undefined
      ? byMember(db, query, query.memberId)
      : byStretch(db, query));
  return { transfers: found.rows.filter((row) => passes(row, query)).map(explored), nextBefore: found.nextBefore };
}

type Found = { readonly rows: readonly ExplorerRow[]; readonly nextBefore: bigint | null };

async function byKey(db: Db, { before, limit, ...query }: TransferQuery, key: string): Promise<Found> {
  const found = (await listTransfersWithKey(db, key, MOST_KEYS))
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

function cut(rows: readonly ExplorerRow[], limit: number): Found {
  const shown = rows.slice(0, limit);
  return { rows: shown, nextBefore: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

const numberOf = (account: AccountClass): number => ({ ...memberClasses, ...houseClasses })[account];

/** What the way in which rows were found did not ask for. */
function passes(row: ExplorerRow, query: Omit<TransferQuery, 'before' | 'limit'>): boolean {
  const ends = [row.from_account, row.to_account];
  const { account, memberId, reason, reference, from, to } = query;
  return (
    (account === undefined || ends.some((id) => classOf(id) === account)) &&
    (memberId === undefined || ends.some((id) => memberOf(id) === memberId)) &&
    (reason === undefined || row.reason === reason) &&
    (reference === undefined || row.reference === reference) &&
    (from === undefined || row.created_at >= from) &&
    (to === undefined || row.created_at < to)
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
  return {
    transfer: explored(row),
    hash: Buffer.from(row.hash).toString('hex'),
    reversedBy: (await findReversalId(db, id)) ?? null,
    seal: (await findSealOf(db, row.tx)) ?? null,
  };
}

const explored = (row: ExplorerRow): ExploredTransfer => ({
  id: row.id,
  from: sideOf(row.from_account, row.from_balance_after),
  to: sideOf(row.to_account, row.to_balance_after),
  amountMicros: row.amount,
  reason: row.reason,
  reference: row.reference,
  key: row.key,
  note: row.note,
  reverses: row.reverses,
  marketAt: row.market_at,
  createdAt: row.created_at,
});

const sideOf = (account: bigint, balanceAfterMicros: bigint | null): TransferSide => ({
  account: classOf(account),
  memberId: isMemberAccount(account) ? memberOf(account) : null,
  balanceAfterMicros,
});
