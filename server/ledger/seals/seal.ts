import assert from 'node:assert';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { type SealKey, signSeal } from '#server/signing/index.ts';
import { houseClasses, isMemberAccount } from '../core/account.ts';
import {
  type CheckpointFields,
  checkpointBytes,
  type SealFields,
  sealBytes,
  transferBytes,
} from '../core/canonical.ts';
import { DailyRollups } from '../core/daily-rollup.ts';
import { addDailyRollups } from '../statement/daily-rollup.ts';
import { MerkleTree, sha256 } from './merkle.ts';
import {
  findLastSeal,
  findWatermark,
  insertSeal,
  listCheckpoints,
  lockSealing,
  type StoredSeal,
  type StoredTransfer,
  streamTransfers,
  summarizeTransfers,
  type TxRange,
} from './seal-sql.ts';

export type Seal = { readonly no: bigint; readonly transferCount: bigint; readonly hash: string };

/** The predecessor of the first seal. */
export const FIRST_SEAL = { no: 0n, horizon: 0n, hash: Buffer.alloc(32) };

/**
 * Seals the transfers that became final since the last seal: their Merkle root, with the new house balances as its last
 * leaves, chained to the previous seal (ARCHITECTURE.md, "The money rules"). Ids commit out of order, so the range is
 * one of transactions: everything below the oldest one still running is final. Without transfers there is no seal.
 *
 * The seal is signed with a key outside the database. Its hash is logged, so anyone with the log can prove later that
 * this seal and all before it were not replaced.
 *
 * @returns the new seal, or undefined if there was nothing to seal or another process was faster
 */
export async function sealLedger(context: Pick<Context, 'db' | 'now' | 'log' | 'sealKey'>): Promise<Seal | undefined> {
  const { db } = context;
  await summarizeTransfers(db);
  const last = (await findLastSeal(db)) ?? FIRST_SEAL;
  const horizon = await findWatermark(db);
  assert(horizon >= last.horizon, restored);
  const digest = await digestTransfers(db, { fromTx: last.horizon, toTx: horizon });
  if (digest.count === 0n) return undefined;

  const sealedAt = context.now();
  const no = last.no + 1n;
  const checkpoints = moveCheckpoints(no, await listCheckpoints(db, last.no), digest.houseDeltas);
  const fields = {
    no,
    horizon,
    transfer_count: digest.count,
    root: rootOf(digest.tree, checkpoints),
    previous_hash: last.hash,
    sealed_at_micros: BigInt(sealedAt.getTime()) * 1000n,
  };
  const seal = { ...fields, hash: sealHash(fields) };
  const isOurs = await inTransaction(db, (tx) =>
    appendSeal(tx, last.no, { seal, sealedAt, checkpoints, flows: digest.flows }, context.sealKey),
  );
  if (!isOurs) return undefined;
  const result = { no, transferCount: seal.transfer_count, hash: seal.hash.toString('hex') };
  context.log.info({ seal: String(no), transfers: String(result.transferCount), hash: result.hash }, 'ledger sealed');
  return result;
}

const restored =
  'the ledger was written in a cluster with higher transaction numbers: raise them with pg_resetwal --next-transaction-id before going on';

type Sealed = {
  readonly seal: StoredSeal;
  readonly sealedAt: Date;
  readonly checkpoints: readonly CheckpointFields[];
  readonly flows: DailyRollups;
};

/** Only appending to the chain needs a lock: transfers below the watermark never change, so reading them took none. */
async function appendSeal(
  tx: Tx,
  afterNo: bigint,
  { seal, sealedAt, checkpoints, flows }: Sealed,
  key: SealKey | undefined,
) {
  await lockSealing(tx);
  const last = (await findLastSeal(tx)) ?? FIRST_SEAL;
  if (last.no !== afterNo) return false;
  await insertSeal(tx, seal, sealedAt, checkpoints);
  await addDailyRollups(tx, flows.list());
  const hash = seal.hash.toString('hex');
  await signSeal(tx, key, { chain: 'ledger', no: String(seal.no), hash, sealed_at: sealedAt.toISOString() });
  return true;
}

export type Digest = {
  readonly tree: MerkleTree;
  readonly count: bigint;
  readonly houseDeltas: ReadonlyMap<number, bigint>;
  readonly flows: DailyRollups;
};

/** One pass over a range of transfers. Leaves are recomputed from the fields; stored hashes are ignored. */
export async function digestTransfers(
  db: Db,
  range: TxRange,
  check: (transfer: StoredTransfer, hash: Buffer) => void = () => {},
): Promise<Digest> {
  const tree = new MerkleTree();
  const houseDeltas = new Map<number, bigint>();
  const flows = new DailyRollups();
  let count = 0n;
  const move = (account: bigint, signed: bigint) => {
    if (isMemberAccount(account)) return;
    houseDeltas.set(Number(account), (houseDeltas.get(Number(account)) ?? 0n) + signed);
  };
  for await (const chunk of streamTransfers(db, range)) {
    for (const transfer of chunk) {
      const hash = transferHash(transfer);
      check(transfer, hash);
      tree.add(hash);
      count += 1n;
      move(transfer.from_account, -transfer.amount);
      move(transfer.to_account, transfer.amount);
      flows.add(transfer, transfer.reversed_reason);
    }
  }
  return { tree, count, houseDeltas, flows };
}

/**
 * The house balances at a seal: those at the previous seal plus what its transfers moved. An account class added after
 * the first seals has checkpoints from its first transfer on.
 */
export function moveCheckpoints(
  no: bigint,
  previous: readonly CheckpointFields[],
  deltas: ReadonlyMap<number, bigint>,
): CheckpointFields[] {
  const before = new Map(previous.map((checkpoint) => [checkpoint.class, checkpoint.balance]));
  return Object.values(houseClasses)
    .filter((number) => number < houseClasses.gateway_result || before.has(number) || deltas.has(number))
    .map((number) => ({
      seal_no: no,
      class: number,
      balance: (before.get(number) ?? 0n) + (deltas.get(number) ?? 0n),
    }));
}

/** The root over transfers in id order, then checkpoints in class order. */
export function rootOf(tree: MerkleTree, checkpoints: readonly CheckpointFields[]): Buffer {
  for (const checkpoint of checkpoints) tree.add(sha256(checkpointBytes(checkpoint)));
  return tree.root();
}

export const transferHash = (transfer: StoredTransfer): Buffer => sha256(transferBytes(transfer));
export const sealHash = (seal: SealFields): Buffer => sha256(sealBytes(seal));
