import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { checkLeaf } from '#contract/solvency/check-leaf.ts';
import { listKeyVersions, listServerKeys, retireServerKeys, rotateServerKeys } from '#server/accounts/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { snapshotKeyUse } from './key-of-snapshot.ts';
import { sha256 } from './show-snapshot.ts';
import { takeDailySnapshot } from './take-snapshot.ts';
import { verifySnapshots } from './verify-snapshots.ts';

const { context, clock } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
const anna = await signUp(context, { name: 'Anna' });
await giveFunds(context, anna.memberId, 5_718_635_000n);

let day = 4;
/** @returns the proof that Anna downloads that day */
async function snapshotOfNextDay() {
  day += 1;
  await sql`update market.clock set at = ${`2026-03-${String(day).padStart(2, '0')}T00:00:00Z`}::timestamptz`.execute(
    context.db,
  );
  await takeDailySnapshot(context);
  return ownProof();
}
async function ownProof() {
  const own = await getOwnLeaf(context, anna.memberId);
  if (own?.leaf == null) throw new Error('Anna is not counted');
  return { ...own, leaf: own.leaf };
}
type Proof = Awaited<ReturnType<typeof ownProof>>;
const faultOf = (proof: Proof) => checkLeaf(proof.snapshot, proof, anna.referralCode, sha256).fault;
const versions = async () => [...(await listServerKeys(context.db, 'solvency')).keys()].toSorted();

test('a saved proof stays valid after rotations, and so does every tree, until no tree needs the old key', async () => {
  const kept = await snapshotOfNextDay();
  await rotateServerKeys(context, ['solvency']);
  expect(await versions()).toEqual([1, 2]);
  // The server returns the same proof again, with the old key.
  expect(await ownProof()).toEqual(kept);
  expect(faultOf(kept)).toBeUndefined();
  expect(await verifySnapshots(context.db, 'all')).toEqual([]);

  const next = await snapshotOfNextDay();
  expect(next.leaf.nonce).not.toBe(kept.leaf.nonce);
  expect(faultOf(next)).toBeUndefined();
  expect(await verifySnapshots(context.db, 'all')).toEqual([]);
  expect(await listKeyVersions(context.db, [snapshotKeyUse])).toMatchObject([
    { version: 2, isCurrent: true, rows: 1 },
    { version: 1, isCurrent: false, rows: 1 },
  ]);

  clock.advance(86_400);
  for (let more = 0; more < 5; more += 1) await snapshotOfNextDay();
  expect(await retireServerKeys(context, [snapshotKeyUse])).toEqual([]);
  await snapshotOfNextDay();
  expect(await retireServerKeys(context, [snapshotKeyUse])).toMatchObject([{ name: 'solvency', version: 1 }]);
  expect(await versions()).toEqual([2]);
  expect(await verifySnapshots(context.db, 'all')).toEqual([]);
  expect(faultOf(await ownProof())).toBeUndefined();
  // Her saved proof contains everything needed to verify it.
  expect(faultOf(kept)).toBeUndefined();
});

test('a snapshot that names a key which is not there is found', async () => {
  await inTransaction(context.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update solvency.snapshot set key_version = 9 where no = (select max(no) from solvency.snapshot)`.execute(
      tx,
    );
  });
  expect(await verifySnapshots(context.db, 'newest')).toEqual([
    { subject: expect.stringMatching(/^snapshot \d+$/), message: 'names a key that does not exist' },
  ]);
});
