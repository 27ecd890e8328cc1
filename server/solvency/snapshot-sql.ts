import { sql } from 'kysely';
import type { SnapshotVersion } from '#contract/solvency/merkle-sum.ts';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, hasRow, listRows, listValues } from '#server/db/rows.ts';

export type SnapshotKind = 'daily' | 'asked';

export type Snapshot = {
  readonly version: SnapshotVersion;
  readonly no: bigint;
  readonly kind: SnapshotKind;
  readonly marketDay: string;
  readonly takenAt: Date;
  readonly leaves: number;
  readonly rootSum: bigint;
  readonly rootHash: Buffer;
  readonly liabilities: bigint;
  readonly sealNo: bigint;
  readonly sealHash: Buffer;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
  /** Version of the server key that nonces are derived from. */
  readonly keyVersion: number;
};

export type Node = { readonly sum: bigint; readonly hash: Buffer };

/** One more than the retained snapshots, because a slot may be in the process of being filled. */
const SLOTS = 8n;
export const RETAINED_SNAPSHOTS = SLOTS - 1n;
export const slotOf = (no: bigint): number => Number(no % SLOTS);

/** Must be the first statement of its transaction, whose snapshot then includes that of another process. */
export const lockSnapshots = (tx: Tx): Promise<void> =>
  execute(tx)`lock table solvency.turn in share row exclusive mode`;

const columns = sql`version, no, kind, market_day::text as "marketDay", taken_at as "takenAt", leaves, root_sum as "rootSum",
  root_hash as "rootHash", liabilities, ledger_seal_no as "sealNo", ledger_seal_hash as "sealHash",
  previous_hash as "previousHash", hash, key_version as "keyVersion"`;

export const findLastSnapshot = (db: Db): Promise<Snapshot | undefined> =>
  findRow(db)`select ${columns} from solvency.snapshot order by no desc limit 1`;

export const findSnapshot = (db: Db, no: bigint): Promise<Snapshot | undefined> =>
  findRow(db)`select ${columns} from solvency.snapshot where no = ${no}`;

/** Snapshots whose nodes are retained, newest first. */
export const listRetainedSnapshots = (db: Db): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot order by no desc limit ${RETAINED_SNAPSHOTS}`;

/** Slots of the snapshots that include a member. */
export const listSlotsOf = (db: Db, memberId: bigint): Promise<number[]> =>
  listValues(db)`select slot from solvency.node where level = 0 and member_id = ${memberId}`;

/** Below a number, newest first. */
export const listSnapshotRows = (db: Db, below: bigint, limit: number): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot where no < ${below} order by no desc limit ${limit}`;

/** After a number, oldest first. */
export const listSnapshotsAfter = (db: Db, no: bigint, limit: number): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot where no > ${no} order by no limit ${limit}`;

export const hasDailySnapshot = (db: Db, marketDay: string): Promise<boolean> =>
  hasRow(db)`
    select 1 from solvency.snapshot where kind = 'daily' and market_day >= ${marketDay}::date limit 1`;

/**
 * Settings for the rest of the transaction: enough memory to sort a million members by hash, and no JIT, as the long
 * expressions take longer to compile than to run.
 */
export async function tuneForTree(tx: Tx): Promise<void> {
  await execute(tx)`set local work_mem = '128MB'`;
  await execute(tx)`set local jit = off`;
}

/** Frees the space of the snapshot eight numbers before. */
export const emptySlot = (tx: Tx, no: bigint): Promise<void> => execute(tx)`select solvency.empty_slot(${no})`;

/** Updates the planner's statistics, so that leaves and paths are looked up by index. */
export const analyzeSlot = (tx: Tx, no: bigint): Promise<void> => execute(tx)`select solvency.analyze_slot(${no})`;

/**
 * Inserts the next level: a node per pair, the last of an odd number paired with the empty node. Uses one ordered pass,
 * as pairs are adjacent; without statistics on the new rows, the planner would join each node with all others.
 */
export async function insertLevelAbove(tx: Tx, no: bigint, level: number): Promise<void> {
  const slot = slotOf(no);
  await execute(tx)`
    insert into solvency.node (slot, level, position, sum, hash)
    select ${slot}, ${level + 1}, position / 2, sum + coalesce(right_sum, 0),
      solvency.node_hash(sum, hash, coalesce(right_sum, 0), coalesce(right_hash, solvency.empty_hash()))
    from (
      select position, sum, hash, lead(sum) over by_place as right_sum, lead(hash) over by_place as right_hash
      from solvency.node where slot = ${slot} and level = ${level} window by_place as (order by position)) as pair
    where position % 2 = 0`;
}

export const findNode = (db: Db, no: bigint, level: number, position: number): Promise<Node | undefined> =>
  findRow(db)`
    select sum, hash from solvency.node
    where slot = ${slotOf(no)} and level = ${level} and position = ${position}`;

export const insertSnapshot = (tx: Tx, s: Snapshot): Promise<void> =>
  execute(tx)`
    insert into solvency.snapshot (version, no, kind, market_day, taken_at, leaves, root_sum, root_hash, liabilities, ledger_seal_no,
      ledger_seal_hash, previous_hash, hash, key_version)
    values (${s.version}, ${s.no}, ${s.kind}, ${s.marketDay}::date, ${s.takenAt}, ${s.leaves}, ${s.rootSum}, ${s.rootHash}, ${s.liabilities},
      ${s.sealNo}, ${s.sealHash}, ${s.previousHash}, ${s.hash}, ${s.keyVersion})`;

export type StoredLeaf = { readonly position: number; readonly balances: readonly bigint[]; readonly code: string };

export const findLeaf = (db: Db, no: bigint, memberId: bigint): Promise<StoredLeaf | undefined> =>
  findRow(db)`
    select n.position, n.balances, m.referral_code as code
    from solvency.node n join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.member_id = ${memberId}`;

/** The sibling nodes on the path from a position to the root; one lookup per level. */
export const listPath = (db: Db, no: bigint, position: number, levels: number): Promise<Node[]> =>
  listRows(db)`
    select coalesce(n.sum, 0) as sum, coalesce(n.hash, solvency.empty_hash()) as hash
    from generate_series(0, ${levels - 1}::int) as level
    left join lateral (
      select sum, hash from solvency.node
      where slot = ${slotOf(no)} and node.level = level.level and node.position = ((${position}::int >> level.level) # 1)) as n on true
    order by level.level`;

/** Number of retained snapshots by key version; nonces of older ones are never computed again. */
export async function countSnapshotKeys(db: Db): Promise<Map<number, number>> {
  const rows = await listRows(db)<{ version: number; count: number }>`
    select key_version as version, count(*)::int as count from solvency.snapshot
    where no > (select max(no) from solvency.snapshot) - ${RETAINED_SNAPSHOTS} group by key_version`;
  return new Map(rows.map(({ version, count }) => [version, count]));
}
