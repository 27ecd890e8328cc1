import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, getValue, listRows } from '#server/db/rows.ts';
import type { CheckpointFields, SealFields, TransferFields } from '../core/canonical.ts';

/** `reversed_reason` is the reason of the transfer that this one reverses. */
export type StoredTransfer = TransferFields & { hash: Buffer; reversed_reason: string | null };
export type StoredSeal = SealFields & { hash: Buffer };

/** Transfers with `fromTx <= tx < toTx`. */
export type TxRange = { readonly fromTx: bigint; readonly toTx: bigint };

const CHUNK = 2_000;

/** The oldest transaction that may still write. All before it have ended, and later queries see what they wrote. */
export const findWatermark = (db: Db): Promise<bigint> =>
  getValue(db)<bigint>`
    select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon`;

/** The transfers of a range in id order, with one chunk in memory at a time. */
export async function* streamTransfers(db: Db, range: TxRange): AsyncGenerator<StoredTransfer[]> {
  const { lastId, ...first } = await getRow(db)<{ firstId: bigint | null; lastId: bigint | null }>`
    select first_id as "firstId", last_id as "lastId" from ledger.transfer_ids(${range.fromTx}, ${range.toTx})`;
  let nextId = first.firstId;
  while (nextId !== null && lastId !== null && nextId <= lastId) {
    const chunk = await listTransfers(db, range, nextId, lastId);
    if (chunk.length > 0) yield chunk;
    const last: StoredTransfer | undefined = chunk.at(-1);
    nextId = chunk.length < CHUNK || last === undefined ? null : last.id + 1n;
  }
}

/** `tx + 0` keeps the planner off the index on `tx`, which would scan the whole range again for every chunk. */
const listTransfers = (db: Db, range: TxRange, firstId: bigint, lastId: bigint): Promise<StoredTransfer[]> =>
  listRows(db)`
    select id, from_account, to_account, amount, from_balance_after, to_balance_after, reverses, tx,
      (extract(epoch from market_at) * 1000000)::bigint as market_at_micros,
      (extract(epoch from created_at) * 1000000)::bigint as created_at_micros,
      reason::text as reason, key, reference, note, hash,
      case when reverses is not null then (select o.reason::text from ledger.transfer o where o.id = t.reverses) end as reversed_reason
    from ledger.transfer t
    where id between ${firstId} and ${lastId} and tx + 0 >= ${range.fromTx} and tx + 0 < ${range.toTx}
    order by id limit ${CHUNK}`;

/** The number of transfers in a range with a lower id. */
export const countLeavesBefore = (db: Db, range: TxRange, id: bigint): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as leaves from ledger.transfer
    where tx >= ${range.fromTx} and tx < ${range.toTx} and id < ${id}`;

const sealColumns = sql`no, horizon, transfer_count, root, previous_hash,
  (extract(epoch from sealed_at) * 1000000)::bigint as sealed_at_micros, hash`;

/** At most `limit` seals after a number, in order. */
export const listSeals = (db: Db, afterNo: bigint, limit: number): Promise<StoredSeal[]> =>
  listRows(db)`select ${sealColumns} from ledger.seal where no > ${afterNo} order by no limit ${limit}`;

export const findLastSeal = (db: Db): Promise<StoredSeal | undefined> =>
  findRow(db)`select ${sealColumns} from ledger.seal order by no desc limit 1`;

export const listCheckpoints = (db: Db, sealNo: bigint): Promise<CheckpointFields[]> =>
  listRows(db)`
    select seal_no, class, balance from ledger.checkpoint where seal_no = ${sealNo} order by class`;

/** Serializes sealing; held until the transaction ends. */
export const lockSealing = (tx: Tx): Promise<void> => execute(tx)`select pg_advisory_xact_lock(7301002)`;

export async function insertSeal(
  tx: Tx,
  seal: StoredSeal,
  sealedAt: Date,
  checkpoints: readonly CheckpointFields[],
): Promise<void> {
  await execute(tx)`
    insert into ledger.seal (no, horizon, transfer_count, root, previous_hash, sealed_at, hash)
    values (${seal.no}, ${seal.horizon}, ${seal.transfer_count}, ${seal.root}, ${seal.previous_hash}, ${sealedAt.toISOString()}::timestamptz, ${seal.hash})`;
  await execute(tx)`
    insert into ledger.checkpoint (seal_no, class, balance)
    select ${seal.no}::bigint, class, balance
    from unnest(${checkpoints.map((c) => c.class)}::smallint[], ${checkpoints.map((c) => c.balance)}::bigint[]) as c(class, balance)`;
}

/** Summarizes new pages in the index on `tx`, for databases where no autovacuum worker does it. */
export const summarizeTransfers = (db: Db): Promise<void> => execute(db)`select ledger.summarize_transfers()`;
