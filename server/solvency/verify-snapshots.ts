import { leafAccounts, leafNode, SumTree } from '#contract/solvency/merkle-sum.ts';
import { memberCodes } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { hashOf, sha256 } from './show-snapshot.ts';
import { nonceWith, snapshotKeys } from './snapshot-keys.ts';
import { KEPT_SNAPSHOTS, listSnapshotsAfter, type Snapshot, slotOf } from './snapshot-sql.ts';

type Found = { readonly subject: string; readonly message: string };

const AT_ONCE = 500;
/** What is hashed without a pause for others. */
const LEAVES_AT_ONCE = 1_000;
const MAX_DISCREPANCIES = 100;

/**
 * Goes through the chain of snapshots, and through the trees that are kept: every leaf is made anew from its member, its
 * balances and its nonce by another program than the one that stored it, and all of them must come to the root. Reads one
 * state of the database: the oldest tree is emptied while others are read.
 *
 * @param serverKey of the installation: nonces come from it
 * @param trees `newest` looks into the last one only; the chain is always read from its beginning
 */
export async function verifySnapshots(db: Db, serverKey: Buffer, trees: 'all' | 'newest'): Promise<Found[]> {
  return inSnapshot(db, async (tx) => {
    const { discrepancies, last } = await verifyChain(tx);
    const kept = last.slice(trees === 'all' ? -Number(KEPT_SNAPSHOTS) : -1);
    for (const snapshot of kept) discrepancies.push(...(await verifyTree(tx, snapshot, serverKey)));
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

async function verifyTree(tx: Tx, snapshot: Snapshot, serverKey: Buffer): Promise<Found[]> {
  const { nonce } = snapshotKeys(serverKey, snapshot.no);
  const discrepancies: Found[] = [];
  const tree = new SumTree(sha256);
  let leaves = 0;
  const next = () => listLeaves(tx, snapshot.no, leaves, LEAVES_AT_ONCE);
  for (let chunk = await next(); chunk.length > 0; chunk = await next()) {
    for (const stored of chunk) {
      const balances = Object.fromEntries(leafAccounts.map((name, at) => [name, stored.balances[at] ?? 0n]));
      const leaf = leafNode(
        {
          snapshotNo: snapshot.no,
          referralCode: stored.code,
          balances: balances as Record<(typeof leafAccounts)[number], bigint>,
          nonce: nonceWith(nonce, stored.memberId),
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
  const wrong = await listWrongNodes(tx, snapshot.no, MAX_DISCREPANCIES);
  const nodes = wrong.map(({ level, position }) => ({
    subject: `node ${position} of level ${level} of ${nameOf(snapshot)}`,
    message: 'is not what the two below it make',
  }));
  return [...discrepancies, ...nodes].slice(0, MAX_DISCREPANCIES);
}

const nameOf = ({ no }: Snapshot): string => `snapshot ${no}`;

type KeptLeaf = {
  readonly position: number;
  readonly memberId: bigint;
  readonly code: string;
  readonly balances: readonly bigint[];
  readonly sum: bigint;
  readonly hash: Buffer;
};

/** Leaves from a place on, in their order. */
const listLeaves = (db: Db, no: bigint, from: number, limit: number): Promise<KeptLeaf[]> =>
  listRows(db)`
    select n.position, n.member_id as "memberId", coalesce(m.referral_code, '') as code, n.balances, n.sum, n.hash
    from solvency.node n left join (${memberCodes}) as m on m.member_id = n.member_id
    where n.slot = ${slotOf(no)} and n.level = 0 and n.position >= ${from} order by n.position limit ${limit}`;

/** Nodes above the leaves that are not what the two below them make, and such that are missing or have nothing below. */
async function listWrongNodes(db: Db, no: bigint, limit: number): Promise<{ level: number; position: number }[]> {
  const slot = slotOf(no);
  return listRows(db)<{ level: number; position: number }>`
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
    order by 1, 2 limit ${limit}`;
}
