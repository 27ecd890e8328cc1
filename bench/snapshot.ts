import { sha256 } from '@noble/hashes/sha2.js';
import { checkLeaf } from '#contract/solvency/check-leaf.ts';
import type { Context } from '#server/context.ts';
import { getOwnLeaf } from '#server/solvency/get-own-leaf.ts';
import { getSnapshot } from '#server/solvency/list-snapshots.ts';
import { takeDailySnapshot } from '#server/solvency/take-snapshot.ts';
import { verifySnapshots } from '#server/solvency/verify-snapshots.ts';
import { atMost, inSeconds, onCluster, p95, watchMemory } from './measure.ts';
import { report } from './report.ts';
import { FIRST_MEMBER, openWorld } from './world.ts';

const MEMBERS = 1_000_000;
const CHECKS = 500;
const BALANCE = 100_000_000n;

/**
 * The daily proof of liabilities of very many members: its duration, Node's memory, and the cost of a member's own leaves,
 * each of which is then checked as the browser does (docs/solvency.md).
 *
 * @param members their number
 * @returns whether every figure meets its target
 */
export async function runSnapshotBench(members = MEMBERS): Promise<boolean> {
  return onCluster(async (cluster, server) => {
    const { context, remove } = await openWorld(cluster, 'snapshot', members, BALANCE);
    const taken = await measureTaking(context);
    const leafMs = await measureLeaves(context, members);
    const checkSeconds = await measureCheck(context);
    await remove();
    const figures = [
      atMost(`the tree over ${members} members`, taken.seconds, 's', 20, 10),
      atMost('Node memory while the snapshot is taken', taken.megabytes, 'MB', 300, 200),
      atMost('solvency/my-leaf, p95', leafMs, 'ms', 20, 5),
    ];
    return report('snapshot', 'Snapshot of liabilities', figures, [
      `${server} ${members} members with money. The tree is made in one transaction that nobody waits for. ${CHECKS} leaves were asked for one after the other, and each was checked against the root. The hourly check made the whole tree anew in ${checkSeconds.toFixed(1)} s.`,
    ]);
  });
}

async function measureTaking(context: Context): Promise<{ seconds: number; megabytes: number }> {
  const memory = watchMemory();
  const seconds = await inSeconds(async () => {
    if ((await takeDailySnapshot(context)) === undefined) throw new Error('no snapshot was taken');
  });
  return { seconds, megabytes: memory.stop() };
}

/** The integrity check of the newest snapshot. */
async function measureCheck({ db }: Context): Promise<number> {
  const begun = performance.now();
  const findings = await verifySnapshots(db, 'newest');
  if (findings.length > 0) throw new Error(`the snapshot does not verify: ${JSON.stringify(findings)}`);
  return (performance.now() - begun) / 1000;
}

async function measureLeaves(context: Context, members: number): Promise<number> {
  const published = await getSnapshot(context);
  if (published === null) throw new Error('no snapshot is published');
  const times: number[] = [];
  for (let n = 0; n < CHECKS; n += 1) {
    const memberId = FIRST_MEMBER + Math.floor((n * members) / CHECKS);
    const begun = performance.now();
    const given = await getOwnLeaf(context, BigInt(memberId));
    times.push(performance.now() - begun);
    if (!given?.leaf) throw new Error(`member ${memberId} is not in the snapshot`);
    const code = `TW${String(memberId).padStart(8, '0')}`;
    const { fault } = checkLeaf(published, { snapshot: given.snapshot, leaf: given.leaf }, code, sha256);
    if (fault !== undefined) throw new Error(`the leaf of member ${memberId} does not check: ${fault}`);
  }
  return p95(times);
}
