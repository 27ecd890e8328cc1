import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { findRow, findValue, listRows } from '#server/db/rows.ts';

/** Hashes are hexadecimal; every transaction below `watermark` is sealed. */
export type ShownSeal = {
  readonly no: bigint;
  readonly watermark: bigint;
  readonly sealedAt: Date;
  readonly transferCount: bigint;
  readonly root: string;
  readonly previousHash: string;
  readonly hash: string;
};

const columns = sql`no, horizon as watermark, sealed_at as "sealedAt", transfer_count as "transferCount",
  encode(root, 'hex') as root, encode(previous_hash, 'hex') as "previousHash", encode(hash, 'hex') as hash`;

/** The seal that covers a transaction; undefined while it is not sealed. */
export const findSealOf = (db: Db, txNumber: bigint): Promise<ShownSeal | undefined> =>
  findRow(db)`select ${columns} from ledger.seal where horizon > ${txNumber} order by horizon limit 1`;

/** Newest first, below a number. */
export const listSealPage = (db: Db, before: bigint | undefined, limit: number): Promise<ShownSeal[]> =>
  listRows(db)`
    select ${columns} from ledger.seal where ${before === undefined ? sql`true` : sql`no < ${before}`}
    order by no desc limit ${limit}`;

/** The lower bound of a seal: the watermark of the previous one. */
export async function findWatermarkBefore(db: Db, no: bigint): Promise<bigint> {
  const watermark = await findValue(db)<bigint>`
    select horizon as watermark from ledger.seal where no = ${no} - 1`;
  return watermark ?? 0n;
}
