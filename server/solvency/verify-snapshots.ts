import { listServerKeys } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type Found, MAX_DISCREPANCIES, nameOf } from './list-wrong-nodes.ts';
import { hashOf } from './show-snapshot.ts';
import { KEPT_SNAPSHOTS, listSnapshotsAfter, type Snapshot } from './snapshot-sql.ts';
import { verifySplitLeaves } from './verify-split-leaves.ts';
import { verifyWholeLeaves } from './verify-whole-leaves.ts';

const AT_ONCE = 500;

/**
 * Goes through the chain of snapshots, and through the trees that are kept: every leaf is made anew from its member, its
 * balances and its nonce by another program than the one that stored it, and all of them must come to the root. Reads one
 * state of the database: the oldest tree is emptied while others are read.
 *
 * @param trees `newest` looks into the last one only; the chain is always read from its beginning
 */
export async function verifySnapshots(db: Db, trees: 'all' | 'newest'): Promise<Found[]> {
  return inSnapshot(db, async (tx) => {
    const { discrepancies, last } = await verifyChain(tx);
    const keys = await listServerKeys(tx, 'solvency');
    const kept = last.slice(trees === 'all' ? -Number(KEPT_SNAPSHOTS) : -1);
    for (const snapshot of kept) {
      const verify = snapshot.version === 1 ? verifyWholeLeaves : verifySplitLeaves;
      const key = keys.get(snapshot.keyVersion);
      if (key !== undefined) discrepancies.push(...(await verify(tx, snapshot, key)));
      else discrepancies.push({ subject: nameOf(snapshot), message: 'names a key that does not exist' });
    }
    return discrepancies.slice(0, MAX_DISCREPANCIES);
  });
}

/** @returns also the newest snapshots, as many as have nodes */
async function verifyChain(tx: Tx): Promise<{ discrepancies: Found[]; last: Snapshot[] }> {
  const discrepancies: Found[] = [];
  let last: Snapshot[] = [];
  const next = () => listSnapshotsAfter(tx, last.at(-1)?.no ?? -1n, AT_ONCE);
  for (let read = await next(); read.length > 0; read = await next()) {
    for (const snapshot of read) {
      discrepancies.push(
        ...linkFaults(last.at(-1), snapshot).map((message) => ({ subject: nameOf(snapshot), message })),
      );
      last = [...last, snapshot].slice(-Number(KEPT_SNAPSHOTS));
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
