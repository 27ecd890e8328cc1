import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { type Snapshot, slotOf } from './snapshot-sql.ts';

export type Discrepancy = { readonly subject: string; readonly message: string };

export const MAX_DISCREPANCIES = 100;

export const nameOf = ({ no }: Snapshot): string => `snapshot ${no}`;

/** Nodes above a level that do not match their two children, are missing, or have no children. */
export async function listWrongNodes(db: Db, snapshot: Snapshot, above: number): Promise<Discrepancy[]> {
  const wrong = await listRows(db)<{ level: number; position: number }>`
    with kept as materialized (
      select level, position, sum, hash from solvency.node where slot = ${slotOf(snapshot.no)} and level >= ${above}),
    made as (
      select l.level + 1 as level, l.position / 2 as position, l.sum + coalesce(r.sum, 0) as sum,
        solvency.node_hash(l.sum, l.hash, coalesce(r.sum, 0), coalesce(r.hash, solvency.empty_hash())) as hash
      from kept l left join kept r on r.level = l.level and r.position = l.position + 1
      where l.position % 2 = 0 and l.level < (select max(level) from kept))
    select coalesce(k.level, made.level)::int as level, coalesce(k.position, made.position) as position
    from (select * from kept where level > ${above}) as k
    full join made on made.level = k.level and made.position = k.position
    where (k.sum, k.hash) is distinct from (made.sum, made.hash)
    order by 1, 2 limit ${MAX_DISCREPANCIES}`;
  return wrong.map(({ level, position }) => ({
    subject: `node ${position} of level ${level} of ${nameOf(snapshot)}`,
    message: 'is not what the two below it make',
  }));
}
