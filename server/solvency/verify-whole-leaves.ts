import { type LeafAccount, leafAccounts, leafNode, SumTree } from '#contract/solvency/merkle-sum.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Discrepancy, listWrongNodes, nameOf } from './list-wrong-nodes.ts';
import { sha256 } from './show-snapshot.ts';
import { hmacWith, padsOf, snapshotKeys } from './snapshot-keys.ts';
import type { Snapshot } from './snapshot-sql.ts';
import { listCounted } from './split-tree-sql.ts';

/** Number of leaves hashed before yielding to the event loop. */
const LEAVES_CHUNK = 1_000;

/** Verifies a version 1 tree: a leaf per member, with the balances of its row. */
export async function verifyWholeLeaves(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Discrepancy[]> {
  const pads = padsOf(snapshotKeys(serverKey, snapshot.no).nonce);
  const discrepancies: Discrepancy[] = [];
  const tree = new SumTree(sha256);
  let leaves = 0;
  const next = () => listCounted(tx, snapshot.no, leaves, LEAVES_CHUNK);
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
