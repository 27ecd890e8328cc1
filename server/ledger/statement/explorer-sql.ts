import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { Reason } from '../core/flow.ts';

export type ExplorerRow = {
  readonly id: bigint;
  readonly from_account: bigint;
  readonly to_account: bigint;
  readonly amount: bigint;
  readonly from_balance_after: bigint | null;
  readonly to_balance_after: bigint | null;
  readonly reverses: bigint | null;
  readonly tx: bigint;
  readonly market_at: Date;
  readonly created_at: Date;
  readonly reason: Reason;
  readonly key: string;
  readonly reference: string;
  readonly note: string | null;
  readonly hash: Uint8Array;
};

const columns = sql`
  t.id, t.from_account, t.to_account, t.amount, t.from_balance_after, t.to_balance_after, t.reverses, t.tx, t.market_at,
  t.created_at, t.reason, t.key, t.reference, t.note, t.hash`;

export async function findTransferRow(db: Db, id: bigint): Promise<ExplorerRow | undefined> {
  const { rows } = await sql<ExplorerRow>`select ${columns} from ledger.transfer t where t.id = ${id}`.execute(db);
  return rows[0];
}

/** The id of the transfer that took this one back. */
export async function findReversalId(db: Db, id: bigint): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`select id from ledger.transfer where reverses = ${id}`.execute(db);
  return rows[0]?.id;
}

/** Newest first. */
export async function listTransferRows(db: Db, ids: readonly bigint[]): Promise<ExplorerRow[]> {
  const { rows } = await sql<ExplorerRow>`
    select ${columns} from ledger.transfer t where t.id = any(${ids}::bigint[]) order by t.id desc`.execute(db);
  return rows;
}

/** The transfer with this key; of a key that ends in a slash all that begin with it, at most so many, in the order of keys. */
export async function listTransfersWithKey(db: Db, key: string, most: number): Promise<ExplorerRow[]> {
  // In the order of bytes, which the index of keys is in, `0` follows `/`.
  const isWanted = key.endsWith('/') ? sql`t.key >= ${key} and t.key < ${`${key.slice(0, -1)}0`}` : sql`t.key = ${key}`;
  const { rows } = await sql<ExplorerRow>`
    select ${columns} from ledger.transfer t where ${isWanted} order by t.key limit ${most}`.execute(db);
  return rows;
}

export type Stretch = { readonly fromId: bigint; readonly beforeId: bigint };

/** What the ids of a period are within; near its ends the instants themselves decide (ledger.first_transfer_since). */
export async function findStretch(db: Db, from: Date | undefined, to: Date | undefined): Promise<Stretch> {
  const { rows } = await sql<Stretch>`
    select coalesce(ledger.first_transfer_since(${from ?? null}::timestamptz - interval '1 hour'), 1) as "fromId",
      coalesce(ledger.first_transfer_since(${to ?? null}::timestamptz + interval '1 hour'),
        (select coalesce(max(id), 0) + 1 from ledger.transfer)) as "beforeId"`.execute(db);
  return rows[0] as Stretch;
}

export type StretchFilter = {
  /** Number of an account's class; of the house it is the account's id. */
  readonly class?: number | undefined;
  readonly isHouse: boolean;
  readonly reason?: Reason | undefined;
  readonly reference?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/** The newest of a stretch of ids that pass the filter: however few there are, no more rows than the stretch has are read. */
export async function listStretch(
  db: Db,
  { fromId, beforeId }: Stretch,
  filter: StretchFilter,
  limit: number,
): Promise<ExplorerRow[]> {
  const { rows } = await sql<ExplorerRow>`
    select ${columns} from ledger.transfer t
    where t.id >= ${fromId} and t.id < ${beforeId} and ${ofAccount(filter)}
      and ${filter.reason === undefined ? sql`true` : sql`t.reason = ${filter.reason}::ledger.reason`}
      and ${filter.reference === undefined ? sql`true` : sql`t.reference = ${filter.reference}`}
      and ${filter.from === undefined ? sql`true` : sql`t.created_at >= ${filter.from}`}
      and ${filter.to === undefined ? sql`true` : sql`t.created_at < ${filter.to}`}
    order by t.id desc limit ${limit}`.execute(db);
  return rows;
}

function ofAccount({ class: number, isHouse }: StretchFilter): RawBuilder<unknown> {
  if (number === undefined) return sql`true`;
  if (isHouse) return sql`(t.from_account = ${number}::bigint or t.to_account = ${number}::bigint)`;
  return sql`(t.from_account & 31 = ${number}::bigint or t.to_account & 31 = ${number}::bigint)`;
}
