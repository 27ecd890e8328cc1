import { type RawBuilder, sql } from 'kysely';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, listRows } from '#server/db/rows.ts';
import { balancesByMember } from '#server/ledger/index.ts';
import { BLOCK_LEVEL } from './core/split-leaves.ts';
import type { HmacPads } from './snapshot-keys.ts';
import { type Node, slotOf } from './snapshot-sql.ts';

/** How a tree of version 2 lies in the database: a row a member, blocks of 32 leaves, and the nodes above these. */

const hmac = ({ inner, outer }: HmacPads, message: RawBuilder<unknown>) =>
  sql`sha256(${outer}::bytea || sha256(${inner}::bytea || ${message}))`;

/**
 * A row for every member there is. A member without a code, or with an account missing, stops it: nobody is left out in
 * silence.
 *
 * @returns how many
 */
export async function insertMembers(tx: Tx, no: bigint, nonce: HmacPads): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into solvency.node (slot, level, position, sum, hash, member_id, balances)
    select ${slotOf(no)}, 0, row_number() over (order by b.member_id) - 1,
      balances[1] + balances[2] + balances[3] + balances[4] + balances[5],
      solvency.member_hash(${no}, m.referral_code, balances, ${hmac(nonce, sql`int8send(b.member_id)`)}), b.member_id, balances
    from (${balancesByMember}) as b left join (${memberCodes}) as m on m.member_id = b.member_id`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * All leaves, the parts of balances and the padding between them, in the order of their hashes: that is as good as random,
 * because nobody else can compute them. They come to their blocks sorted: sorted there, each of the two would be, once a block.
 */
export async function insertBlocks(tx: Tx, no: bigint, pad: HmacPads, padding: number): Promise<void> {
  const slot = slotOf(no);
  await sql`
    insert into solvency.node (slot, level, position, sum, hash, leaves)
    select ${slot}, ${BLOCK_LEVEL}, block, solvency.sum_of_16(amounts, 1) + solvency.sum_of_16(amounts, 17),
      solvency.block_root_32(leaves, amounts), leaves
    from (
      select block, array_agg(amount) as amounts, string_agg(hash || int8send(amount), ''::bytea) as leaves
      from (
        select (row_number() over (order by hash) - 1) / 32 as block, hash, amount
        from (
          select solvency.part_hash(hash, no, amount) as hash, amount
          from (
            select hash, sum, solvency.draw_below(solvency.split_bytes(hash), 1, greatest(sum, 1)) as one
            from solvency.node where slot = ${slot} and level = 0 offset 0) as member
          cross join lateral (values (1::bigint, one), (2, sum - one)) as part (no, amount)
          union all
          select solvency.part_hash(${hmac(pad, sql`int8send(n)`)}, 1, 0), 0::bigint from generate_series(1::bigint, ${padding}) as n
        ) as leaf
        order by block, hash offset 0) as placed
      group by block offset 0) as packed`.execute(tx);
}

/** In a tree of version 2; of one in which the member is not counted, undefined. */
export const findCounted = (db: Db, no: bigint, memberId: bigint) =>
  findRow(db)<{ sum: bigint; hash: Buffer; balances: readonly bigint[]; code: string }>`
    select n.sum, n.hash, n.balances, m.referral_code as code
    from solvency.node n join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.member_id = ${memberId}`;

export type Block = { readonly position: number; readonly leaves: Buffer };

/** For each leaf the block it must be in, which is the last that begins at it or before. */
export const listBlocksOf = (db: Db, no: bigint, hashes: readonly Uint8Array[]): Promise<Block[]> =>
  listRows(db)`
    select block.position, block.leaves
    from (values ${sql.join(hashes.map((hash, at) => sql`(${at}::int, ${Buffer.from(hash)}::bytea)`))}) as leaf (no, hash)
    cross join lateral (
      select position, leaves from solvency.node
      where slot = ${slotOf(no)} and leaves is not null and substr(leaves, 1, 32) <= leaf.hash
      order by substr(leaves, 1, 32) desc limit 1) as block
    order by leaf.no`;

/** From each block the other node of each pair on the way to the root. */
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

/** Blocks from one on, in their order. */
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

/** Members from one on, in the order of their rows. */
export const listCounted = (db: Db, no: bigint, from: number, limit: number): Promise<CountedRow[]> =>
  listRows(db)`
    select n.position, n.member_id as "memberId", coalesce(m.referral_code, '') as code, n.balances, n.sum, n.hash
    from solvency.node n left join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.position >= ${from} order by n.position limit ${limit}`;
