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

/** What the first seal is chained to. It covers everything before its horizon, whatever transaction a row claims. */
export const FIRST_SEAL = { no: 0n, horizon: LOWEST, hash: Buffer.alloc(32) };

/**
 * Seals the entries that finished since the last seal as the ledger's transfers are sealed: a Merkle root over them,
 * chained to the seal before. Transactions end out of order, so what counts is the writing one: everything below the oldest
 * that still runs is final. A minute without entries makes no seal.
 *
 * It is signed with a key outside the database. The hash goes to the log: whoever keeps the log can tell later that this
 * seal, and all before it, were not replaced.
 *
 * @returns the new seal, or undefined when there was nothing to seal or another process was faster
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

/** Reading and hashing needed no lock, because what is below the horizon never changes; only the chain's end does. */
async function appendSeal(
  tx: Tx,
  afterNo: bigint,
  seal: StoredSeal,
  sealedAt: Date,
  key: SealKey | undefined,
): Promise<boolean> {
  await lockSealing(tx);
  const end = (await findLastSeal(tx)) ?? FIRST_SEAL;
  if (end.no !== afterNo) return false;
  await insertSeal(tx, seal, sealedAt);
  const hash = seal.hash.toString('hex');
  await signSeal(tx, key, { chain: 'audit', no: String(seal.no), hash, sealed_at: sealedAt.toISOString() });
  return true;
}

/** One pass over a range of entries, in the order of their transactions and ids. */
export async function digestEntries(db: Db, range: TxRange): Promise<{ root: Buffer; count: bigint }> {
  const tree = new MerkleTree();
  let count = 0n;
  for await (const chunk of streamEntries(db, range)) {
    for (const entry of chunk) tree.add(sha256(entryBytes(entry)));
    count += BigInt(chunk.length);
  }
  return { root: tree.root(), count };
}

export const sealHash = (seal: SealFields): Buffer => sha256(sealBytes(seal));
