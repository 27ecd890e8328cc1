import { sql } from 'kysely';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { slotOf } from './snapshot-sql.ts';

export type KeptLeaf = {
  readonly position: number;
  readonly memberId: bigint;
  readonly code: string;
  readonly balances: readonly bigint[];
  readonly sum: bigint;
  readonly hash: Buffer;
};

/** Leaves from a place on, in their order. */
export async function listLeaves(db: Db, no: bigint, from: number, limit: number): Promise<KeptLeaf[]> {
  const { rows } = await sql<KeptLeaf>`
    select n.position, n.member_id as "memberId", coalesce(m.referral_code, '') as code, n.balances, n.sum, n.hash
    from solvency.node n left join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.position >= ${from} order by n.position limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, hash: Buffer.from(row.hash) }));
}

/** Nodes above the leaves that are not what the two below them make, and such that are missing or have nothing below. */
export async function listWrongNodes(
  db: Db,
  no: bigint,
  limit: number,
): Promise<{ level: number; position: number }[]> {
  const slot = slotOf(no);
  const { rows } = await sql<{ level: number; position: number }>`
    with kept as materialized (select level, position, sum, hash from solvency.node where slot = ${slot}),
    made as (
      select l.level + 1 as level, l.position / 2 as position, l.sum + coalesce(r.sum, 0) as sum,
        solvency.node_hash(l.sum, l.hash, coalesce(r.sum, 0), coalesce(r.hash, solvency.empty_hash())) as hash
      from kept l left join kept r on r.level = l.level and r.position = l.position + 1
      where l.position % 2 = 0 and l.level < (select max(level) from kept))
    select coalesce(k.level, made.level)::int as level, coalesce(k.position, made.position) as position
    from (select * from kept where level > 0) as k
    full join made on made.level = k.level and made.position = k.position
    where (k.sum, k.hash) is distinct from (made.sum, made.hash)
    order by 1, 2 limit ${limit}`.execute(db);
  return rows;
}
