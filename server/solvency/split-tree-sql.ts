import { sql } from 'kysely';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, listRows } from '#server/db/rows.ts';
import { BLOCK_LEVEL } from './core/split-leaves.ts';
import type { HmacPads } from './snapshot-keys.ts';
import { type Node, slotOf } from './snapshot-sql.ts';

/** Storage of a version 2 tree: a row per member, blocks of 32 leaves, and the nodes above them. */

/**
 * Inserts a row for every member. Fails for a member without a code or with a missing account, so that nobody is
 * silently omitted.
 *
 * @returns the number of members
 */
export async function insertMembers(tx: Tx, no: bigint, nonce: HmacPads): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into solvency.node (slot, level, position, sum, hash, member_id, balances)
    select ${slotOf(no)}, 0, position, sum, hash, member_id, balances
    from solvency.counted_members(${no}, ${nonce.inner}::bytea, ${nonce.outer}::bytea)`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Inserts all leaves, parts of balances mixed with padding, ordered by hash. */
export const insertBlocks = (tx: Tx, no: bigint, pad: HmacPads, padding: number, leaves: number): Promise<void> =>
  execute(tx)`
    insert into solvency.node (slot, level, position, sum, hash, leaves)
    select ${slotOf(no)}, ${BLOCK_LEVEL}, position, sum, hash, leaves
    from solvency.blocks(${slotOf(no)}, ${pad.inner}::bytea, ${pad.outer}::bytea, ${padding}, ${leaves})`;

/** A member in a version 2 tree; undefined when not included. */
export const findCounted = (db: Db, no: bigint, memberId: bigint) =>
  findRow(db)<{ sum: bigint; hash: Buffer; balances: readonly bigint[]; code: string }>`
    select n.sum, n.hash, n.balances, m.referral_code as code
    from solvency.node n join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.member_id = ${memberId}`;

export type Block = { readonly position: number; readonly leaves: Buffer };

/** For each leaf the block that must contain it: the last whose first hash is not greater. */
export const listBlocksOf = (db: Db, no: bigint, hashes: readonly Uint8Array[]): Promise<Block[]> =>
  listRows(db)`
    select block.position, block.leaves
    from (values ${sql.join(hashes.map((hash, at) => sql`(${at}::int, ${Buffer.from(hash)}::bytea)`))}) as leaf (no, hash)
    cross join lateral (
      select position, leaves from solvency.node
      where slot = ${slotOf(no)} and leaves is not null and substr(leaves, 1, 32) <= leaf.hash
      order by substr(leaves, 1, 32) desc limit 1) as block
    order by leaf.no`;

/** The sibling nodes on the path from each block to the root. */
export const listUpperPaths = (
  db: Db,
  no: bigint,
  blocks: readonly number[],
  levels: number,
): Promise<({ readonly block: number } & Node)[]> =>
  listRows(db)`
    select block.position as block, n.sum, n.hash
    from (values ${sql.join(blocks.map((position) => sql`(${position}::int)`))}) as block (position)
    cross join generate_series(${BLOCK_LEVEL}::int, ${levels - 1}::int) as above (level)
    cross join lateral (
      select sum, hash from solvency.node
      where slot = ${slotOf(no)} and level = above.level
        and position = ((block.position >> (above.level - ${BLOCK_LEVEL}::int)) # 1)) as n
    order by block.position, above.level`;

/** Blocks from a position on, in order. */
export const listBlocks = (
  db: Db,
  no: bigint,
  from: number,
  limit: number,
): Promise<(Block & { readonly sum: bigint; readonly hash: Buffer })[]> =>
  listRows(db)`
    select position, leaves, sum, hash from solvency.node
    where slot = ${slotOf(no)} and level = ${BLOCK_LEVEL} and position >= ${from} order by position limit ${limit}`;

export type CountedRow = {
  readonly position: number;
  readonly memberId: bigint;
  readonly code: string;
  readonly balances: readonly bigint[];
  readonly sum: bigint;
  readonly hash: Buffer;
};

/** Members from a position on, in row order: in a version 1 tree its leaves. */
export const listCounted = (db: Db, no: bigint, from: number, limit: number): Promise<CountedRow[]> =>
  listRows(db)`
    select n.position, n.member_id as "memberId", coalesce(m.referral_code, '') as code, n.balances, n.sum, n.hash
    from solvency.node n left join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.position >= ${from} order by n.position limit ${limit}`;
