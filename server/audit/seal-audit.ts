import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { findWatermark, MerkleTree, sha256 } from '#server/ledger/index.ts';
import { type SealKey, signSeal } from '#server/signing/index.ts';
import { entryBytes, type SealFields, sealBytes } from './core/canonical.ts';
import {
  findLastSeal,
  insertSeal,
  LOWEST,
  lockSealing,
  type StoredSeal,
  streamEntries,
  type TxRange,
} from './seal-sql.ts';

export type AuditSeal = { readonly no: bigint; readonly entryCount: bigint; readonly hash: string };

/** The predecessor of the first seal, which covers everything below its watermark, with any transaction number. */
export const FIRST_SEAL = { no: 0n, horizon: LOWEST, hash: Buffer.alloc(32) };

/**
 * Seals the entries that became final since the last seal, like the ledger's transfers: a Merkle root over them,
 * chained to the previous seal. Transactions end out of order, so the range is one of transactions: everything below
 * the oldest one still running is final. Without entries there is no seal.
 *
 * The seal is signed with a key outside the database. Its hash is logged, so anyone with the log can prove later that
 * this seal and all before it were not replaced.
 *
 * @returns the new seal, or undefined if there was nothing to seal or another process was faster
 */
export async function sealAudit(
  context: Pick<Context, 'db' | 'now' | 'log' | 'sealKey'>,
): Promise<AuditSeal | undefined> {
  const { db } = context;
  const last = (await findLastSeal(db)) ?? FIRST_SEAL;
  const horizon = await findWatermark(db);
  assert(horizon >= last.horizon, 'the audit log was written in a cluster with higher transaction numbers');
  const { root, count } = await digestEntries(db, { fromTx: last.horizon, toTx: horizon });
  if (count === 0n) return undefined;

  const sealedAt = context.now();
  const no = last.no + 1n;
  const fields = {
    no,
    horizon,
    entry_count: count,
    root,
    previous_hash: last.hash,
    sealed_at_micros: BigInt(sealedAt.getTime()) * 1000n,
  };
  const seal = { ...fields, hash: sealHash(fields) };
  if (!(await inTransaction(db, (tx) => appendSeal(tx, last.no, seal, sealedAt, context.sealKey)))) return undefined;
  const hash = seal.hash.toString('hex');
  context.log.info({ seal: String(no), entries: String(count), hash }, 'audit log sealed');
  return { no, entryCount: count, hash };
}

/** Only appending to the chain needs a lock: entries below the watermark never change, so reading them took none. */
async function appendSeal(
  tx: Tx,
  afterNo: bigint,
  seal: StoredSeal,
  sealedAt: Date,
  key: SealKey | undefined,
): Promise<boolean> {
  await lockSealing(tx);
  const last = (await findLastSeal(tx)) ?? FIRST_SEAL;
  if (last.no !== afterNo) return false;
  await insertSeal(tx, seal, sealedAt);
  const hash = seal.hash.toString('hex');
  await signSeal(tx, key, { chain: 'audit', no: String(seal.no), hash, sealed_at: sealedAt.toISOString() });
  return true;
}

export type Digest = { readonly root: Buffer; readonly count: bigint };

/** One pass over a range of entries, by transaction and id. */
async function digestEntries(db: Db, { fromTx, toTx }: TxRange): Promise<Digest> {
  const [digest] = await digestRanges(db, fromTx, [toTx]);
  assert(digest);
  return digest;
}

/**
 * The same for ranges that follow each other, in one pass: an old log has a seal for every minute with an entry, and a
 * query for each takes minutes an hour.
 *
 * @param ends ascending: where each range ends and the next begins
 */
export async function digestRanges(db: Db, fromTx: bigint, ends: readonly bigint[]): Promise<Digest[]> {
  const ranges = ends.map((end) => ({ end, tree: new MerkleTree(), count: 0n }));
  let place = 0;
  for await (const chunk of streamEntries(db, { fromTx, toTx: ends.at(-1) ?? fromTx })) {
    for (const entry of chunk) {
      while (entry.tx >= (ranges[place]?.end ?? entry.tx + 1n)) place += 1;
      const range = ranges[place];
      assert(range, 'the stream ends with the last range');
      range.tree.add(sha256(entryBytes(entry)));
      range.count += 1n;
    }
  }
  return ranges.map(({ tree, count }) => ({ root: tree.root(), count }));
}

export const sealHash = (seal: SealFields): Buffer => sha256(sealBytes(seal));
