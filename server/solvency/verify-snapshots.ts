import { leafNode, SumTree } from '#contract/solvency/merkle-sum.ts';
import { listServerKeys } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type Discrepancy, listWrongNodes, MAX_DISCREPANCIES, nameOf } from './list-wrong-nodes.ts';
import { hashOf, sha256 } from './show-snapshot.ts';
import { hmacWith, padsOf, snapshotKeys } from './snapshot-keys.ts';
import { listSnapshotsAfter, RETAINED_SNAPSHOTS, type Snapshot } from './snapshot-sql.ts';
import { listCounted } from './split-tree-sql.ts';
import { memberOf, verifySplitLeaves } from './verify-split-leaves.ts';

const CHUNK = 500;

/**
 * Verifies the chain of snapshots and the retained trees: recomputes every leaf from its member, balances and nonce,
 * independently of the code that stored it, and compares the root. Reads one database snapshot, because the oldest tree
 * may be deleted meanwhile.
 *
 * @param trees `newest` only verifies the last tree; the chain is always verified from its start
 */
export async function verifySnapshots(db: Db, trees: 'all' | 'newest'): Promise<Discrepancy[]> {
  return inSnapshot(db, async (tx) => {
    const { discrepancies, last } = await verifyChain(tx);
    const keys = await listServerKeys(tx, 'solvency');
    const retained = last.slice(trees === 'all' ? -Number(RETAINED_SNAPSHOTS) : -1);
    for (const snapshot of retained) {
      const verify = snapshot.version === 1 ? verifyWholeLeaves : verifySplitLeaves;
      const key = keys.get(snapshot.keyVersion);
      if (key !== undefined) discrepancies.push(...(await verify(tx, snapshot, key)));
      else discrepancies.push({ subject: nameOf(snapshot), message: 'names a key that does not exist' });
    }
    return discrepancies.slice(0, MAX_DISCREPANCIES);
  });
}

/** @returns also the newest snapshots, those with retained nodes */
async function verifyChain(tx: Tx): Promise<{ discrepancies: Discrepancy[]; last: Snapshot[] }> {
  const discrepancies: Discrepancy[] = [];
  let last: Snapshot[] = [];
  const next = () => listSnapshotsAfter(tx, last.at(-1)?.no ?? -1n, CHUNK);
  for (let read = await next(); read.length > 0; read = await next()) {
    for (const snapshot of read) {
      discrepancies.push(
        ...linkFaults(last.at(-1), snapshot).map((message) => ({ subject: nameOf(snapshot), message })),
      );
      last = [...last, snapshot].slice(-Number(RETAINED_SNAPSHOTS));
    }
  }
  return { discrepancies, last };
}

function linkFaults(before: Snapshot | undefined, snapshot: Snapshot): string[] {
  const previousHash = before?.hash ?? Buffer.alloc(32);
  return [
    snapshot.no === (before?.no ?? 0n) + 1n ? [] : `follows ${before?.no ?? 'nothing'}: one between them is missing`,
    snapshot.previousHash.equals(previousHash) ? [] : 'is not chained to the previous snapshot',
    snapshot.hash.equals(hashOf(snapshot)) ? [] : 'was modified: its hash does not match its fields',
    snapshot.rootSum === snapshot.liabilities ? [] : 'does not match the liabilities to members',
  ].flat();
}

/** Number of leaves hashed before yielding to the event loop. */
const LEAVES_CHUNK = 1_000;

/** Verifies a version 1 tree: a leaf per member, with the balances of its row. */
async function verifyWholeLeaves(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Discrepancy[]> {
  const pads = padsOf(snapshotKeys(serverKey, snapshot.no).nonce);
  const discrepancies: Discrepancy[] = [];
  const tree = new SumTree(sha256);
  let leaves = 0;
  const next = () => listCounted(tx, snapshot.no, leaves, LEAVES_CHUNK);
  for (let chunk = await next(); chunk.length > 0; chunk = await next()) {
    for (const stored of chunk) {
      const leaf = leafNode(memberOf(snapshot.no, stored, hmacWith(pads, stored.memberId)), sha256);
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
