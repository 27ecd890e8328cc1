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
  /** Version of the installation's key that the nonces come from. */
  readonly keyVersion: number;
};

export type Node = { readonly sum: bigint; readonly hash: Buffer };

/** Snapshots whose nodes are kept are one fewer than there are slots: one may be being filled. */
const SLOTS = 8n;
export const KEPT_SNAPSHOTS = SLOTS - 1n;
export const slotOf = (no: bigint): number => Number(no % SLOTS);

/** The first thing of its transaction, so that the state it sees is that after the snapshot of another process. */
export const lockSnapshots = (tx: Tx): Promise<void> =>
  execute(tx)`lock table solvency.turn in share row exclusive mode`;

const columns = sql`version, no, kind, market_day::text as "marketDay", taken_at as "takenAt", leaves, root_sum as "rootSum",
  root_hash as "rootHash", liabilities, ledger_seal_no as "sealNo", ledger_seal_hash as "sealHash",
  previous_hash as "previousHash", hash, key_version as "keyVersion"`;

export const findLastSnapshot = (db: Db): Promise<Snapshot | undefined> =>
  findRow(db)`select ${columns} from solvency.snapshot order by no desc limit 1`;

export const findSnapshot = (db: Db, no: bigint): Promise<Snapshot | undefined> =>
  findRow(db)`select ${columns} from solvency.snapshot where no = ${no}`;

/** Those whose nodes are kept, the newest first. */
export const listKeptSnapshots = (db: Db): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot order by no desc limit ${KEPT_SNAPSHOTS}`;

/** Where a member is counted. */
export const listSlotsOf = (db: Db, memberId: bigint): Promise<number[]> =>
  listValues(db)`select slot from solvency.node where level = 0 and member_id = ${memberId}`;

/** Below a number, the newest first. */
export const listSnapshotRows = (db: Db, below: bigint, limit: number): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot where no < ${below} order by no desc limit ${limit}`;

/** After a number, the oldest first. */
export const listSnapshotsAfter = (db: Db, no: bigint, limit: number): Promise<Snapshot[]> =>
  listRows(db)`select ${columns} from solvency.snapshot where no > ${no} order by no limit ${limit}`;

export const hasDailySnapshot = (db: Db, marketDay: string): Promise<boolean> =>
  hasRow(db)`
    select 1 from solvency.snapshot where kind = 'daily' and market_day >= ${marketDay}::date limit 1`;

/**
 * For the rest of the transaction: memory in which a million members are sorted by their hashes, and no compiling of
 * statements whose long expressions take longer to compile than to run.
 */
export async function settleToGrow(tx: Tx): Promise<void> {
  await execute(tx)`set local work_mem = '128MB'`;
  await execute(tx)`set local jit = off`;
}

/** Gives the room of the snapshot eight before back, at once. */
export const emptySlot = (tx: Tx, no: bigint): Promise<void> => execute(tx)`select solvency.empty_slot(${no})`;

/** What is asked for next, a leaf and its path, must be looked up by its place and not among all nodes. */
export const analyzeSlot = (tx: Tx, no: bigint): Promise<void> => execute(tx)`select solvency.analyze_slot(${no})`;

/**
 * The level above one: a node for each two, the last one of an odd number with the empty node. The two stand next to each
 * other in the order of their places, so that one pass over the level does: about what was only just written the planner
 * knows nothing, and a join would look for each node among all the others.
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

/** The other node of each pair on the way from a place to the root; one look-up a level. */
export const listPath = (db: Db, no: bigint, position: number, levels: number): Promise<Node[]> =>
  listRows(db)`
    select coalesce(n.sum, 0) as sum, coalesce(n.hash, solvency.empty_hash()) as hash
    from generate_series(0, ${levels - 1}::int) as level
    left join lateral (
      select sum, hash from solvency.node
      where slot = ${slotOf(no)} and node.level = level.level and node.position = ((${position}::int >> level.level) # 1)) as n on true
    order by level.level`;

/** How many snapshots whose leaves are kept name each version of the key: of older ones nobody computes a nonce again. */
export async function countSnapshotKeys(db: Db): Promise<Map<number, number>> {
  const rows = await listRows(db)<{ version: number; count: number }>`
    select key_version as version, count(*)::int as count from solvency.snapshot
    where no > (select max(no) from solvency.snapshot) - ${KEPT_SNAPSHOTS} group by key_version`;
  return new Map(rows.map(({ version, count }) => [version, count]));
}
