import type { Db } from '#server/db/connect.ts';
import { findSealAfter, listSealRows, type SealRow } from './find-seals-sql.ts';

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
