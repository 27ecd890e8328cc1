import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Hashes in hexadecimal. */
export type ShownSeal = {
  readonly no: bigint;
  readonly sealedAt: Date;
  readonly transferCount: bigint;
  readonly root: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** The seal that covers what this transaction wrote, or undefined while none does. */
export async function findSealOf(db: Db, txNumber: bigint): Promise<ShownSeal | undefined> {
  const row = await findSealAfter(db, txNumber);
  return row && showSeal(row);
}

/** Newest first, below a number. */
export async function listSealPage(db: Db, before: bigint | undefined, limit: number): Promise<ShownSeal[]> {
  return (await listSealRows(db, before, limit)).map(showSeal);
}

export const showSeal = (row: SealRow): ShownSeal => ({
  no: row.no,
  sealedAt: row.sealed_at,
  transferCount: row.transfer_count,
  root: hex(row.root),
  previousHash: hex(row.previous_hash),
  hash: hex(row.hash),
});

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

type SealRow = {
  readonly no: bigint;
  readonly horizon: bigint;
  readonly transfer_count: bigint;
  readonly root: Uint8Array;
  readonly previous_hash: Uint8Array;
  readonly sealed_at: Date;
  readonly hash: Uint8Array;
};

const columns = sql`no, horizon, transfer_count, root, previous_hash, sealed_at, hash`;

/** The seal that covers what a transaction wrote. */
export async function findSealAfter(db: Db, txNumber: bigint): Promise<SealRow | undefined> {
  const { rows } = await sql<SealRow>`
    select ${columns} from ledger.seal where horizon > ${txNumber} order by horizon limit 1`.execute(db);
  return rows[0];
}

/** Where a seal begins: the horizon of the one before. */
export async function findHorizonBefore(db: Db, no: bigint): Promise<bigint> {
  const { rows } = await sql<{ horizon: bigint }>`select horizon from ledger.seal where no = ${no} - 1`.execute(db);
  return rows[0]?.horizon ?? 0n;
}

/** Newest first, below a number. */
async function listSealRows(db: Db, before: bigint | undefined, limit: number): Promise<SealRow[]> {
  const { rows } = await sql<SealRow>`
    select ${columns} from ledger.seal where ${before === undefined ? sql`true` : sql`no < ${before}`}
    order by no desc limit ${limit}`.execute(db);
  return rows;
}
