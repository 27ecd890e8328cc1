import { type LeafAccount, leafAccounts, leafNode, SumTree } from '#contract/solvency/merkle-sum.ts';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { type Discrepancy, listWrongNodes, nameOf } from './list-wrong-nodes.ts';
import { sha256 } from './show-snapshot.ts';
import { hmacWith, padsOf, snapshotKeys } from './snapshot-keys.ts';
import { type Snapshot, slotOf } from './snapshot-sql.ts';

/** Number of leaves hashed before yielding to the event loop. */
const LEAVES_CHUNK = 1_000;

/** Verifies a version 1 tree: a leaf per member, with the balances of its row. */
export async function verifyWholeLeaves(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Discrepancy[]> {
  const pads = padsOf(snapshotKeys(serverKey, snapshot.no).nonce);
  const discrepancies: Discrepancy[] = [];
  const tree = new SumTree(sha256);
  let leaves = 0;
  const next = () => listLeaves(tx, snapshot.no, leaves, LEAVES_CHUNK);
  for (let chunk = await next(); chunk.length > 0; chunk = await next()) {
    for (const stored of chunk) {
      const balances = Object.fromEntries(leafAccounts.map((name, at) => [name, stored.balances[at] ?? 0n]));
      const leaf = leafNode(
        {
          snapshotNo: snapshot.no,
          referralCode: stored.code,
          balances: balances as Record<LeafAccount, bigint>,
          nonce: hmacWith(pads, stored.memberId),
        },
        sha256,
      );
      tree.add(leaf);
      if (leaf.sum !== stored.sum || !stored.hash.equals(leaf.hash) || stored.position !== leaves)
        discrepancies.push({
          subject: `leaf ${stored.position} of ${nameOf(snapshot)}`,
          message: 'was modified or moved',
        });
      leaves += 1;
    }
  }
  const root = tree.root();
  if (leaves !== snapshot.leaves)
    discrepancies.push({ subject: nameOf(snapshot), message: `has ${leaves} leaves, but states ${snapshot.leaves}` });
  if (root?.sum !== snapshot.rootSum || !snapshot.rootHash.equals(root.hash))
    discrepancies.push({ subject: nameOf(snapshot), message: 'does not match the root of its leaves' });
  return [...discrepancies, ...(await listWrongNodes(tx, snapshot, 0))];
}

type StoredLeaf = {
  readonly position: number;
  readonly memberId: bigint;
  readonly code: string;
  readonly balances: readonly bigint[];
  readonly sum: bigint;
  readonly hash: Buffer;
};

/** Leaves from a position on, in order. */
const listLeaves = (db: Db, no: bigint, from: number, limit: number): Promise<StoredLeaf[]> =>
  listRows(db)`
    select n.position, n.member_id as "memberId", coalesce(m.referral_code, '') as code, n.balances, n.sum, n.hash
    from solvency.node n left join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.position >= ${from} order by n.position limit ${limit}`;
