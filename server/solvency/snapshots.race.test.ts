import { expect, test } from 'vitest';
import { checkLeaf } from '#contract/solvency/check-leaf.ts';
import { listRows } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { getOwnLeaf } from './get-own-leaf.ts';
import { sha256 } from './show-snapshot.ts';
import { takeDailySnapshot, takeExtraSnapshot } from './take-snapshot.ts';
import { verifySnapshots } from './verify-snapshots.ts';

const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z'));
const members = await addTeam(context, Array(30).fill(1n));

const verify = () => verifySnapshots(context.db, 'all');

test('of workers that begin at once one makes the snapshot of the day', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => takeDailySnapshot(context)));
  expect(made.filter((snapshot) => snapshot !== undefined)).toHaveLength(1);
  expect(await listRows(context.db)`select no from solvency.snapshot`).toEqual([{ no: 1n }]);
});

test('while money moves every snapshot equals the liabilities at its time, and every member can verify their path', async () => {
  let isOver = false;
  const moving = members.slice(0, 4).map(async (memberId) => {
    for (let n = 1n; !isOver; n += 1n) await giveFunds(context, memberId, n, `race/${memberId}/${n}`);
  });
  const by = { operatorId: 1n, address: '127.0.0.1' };
  const made: bigint[] = [];
  for (let n = 0; n < 4; n += 1) {
    const [one, other] = await Promise.all([takeExtraSnapshot(context, by), takeExtraSnapshot(context, by)]);
    made.push(one.no, other.no);
    const own = await getOwnLeaf(context, members[0] as bigint);
    if (own?.leaf == null) throw new Error('the member is not counted');
    expect(checkLeaf(own.snapshot, { ...own, leaf: own.leaf }, own.leaf.referral_code, sha256).fault).toBeUndefined();
  }
  isOver = true;
  await Promise.all(moving);
  expect(made.toSorted((a, b) => Number(a - b))).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
  expect(await verify()).toEqual([]);
});
