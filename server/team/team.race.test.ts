import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ensureCompany } from '#server/accounts/index.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { testContext } from '#test/worlds/builders.ts';
import { countTeams, sumTeamCounts } from './index.ts';
import { plantUnder } from './tree-world.test-setup.ts';

const WRITERS = 8;
const ROUNDS = 25;

const database = closeAfterAll(await openTestDatabase());
const { db } = database;
const context = testContext(database);
const [top] = (await plantUnder(db, await ensureCompany(context), 1)) as [bigint];

const directs = async () => Number((await countTeams(db, [top])).get(top)?.byLevel[0]);
const summed = async () => {
  const { rows } = await sql<{ members: bigint }>`
    select members from team.level_count where member_id = ${top} and level = 1`.execute(db);
  return Number(rows[0]?.members ?? 0n);
};

test('a sign-up in a transaction that commits late is counted then, though the watermark has moved', async () => {
  const before = await directs();
  const commit = await holdOpen(db, (tx) => plantUnder(tx, top, 1));
  await plantUnder(db, top, 2);
  await sumTeamCounts(context);
  expect(await directs()).toBe(before + 2);
  await commit();
  expect(await directs()).toBe(before + 3);
  await sumTeamCounts(context);
  expect(await directs()).toBe(before + 3);
  expect(await summed()).toBe(before + 3);
});

test('a sign-up that is rolled back is never counted', async () => {
  const before = await directs();
  const undone = inTransaction(db, async (tx) => {
    await plantUnder(tx, top, 1);
    await sumTeamCounts(context);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  await sumTeamCounts(context);
  expect(await directs()).toBe(before);
});

test('with concurrent sign-ups and aggregating workers, every count lies between known bounds', async () => {
  const before = await directs();
  let begun = 0;
  let done = 0;
  const writer = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      begun += 2;
      await inTransaction(db, async (tx) => {
        await plantUnder(tx, top, 1);
        await plantUnder(tx, top, 1);
      });
      done += 2;
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  let isOver = false;
  const over = writers.finally(() => {
    isOver = true;
  });
  const summer = async () => {
    while (!isOver) await sumTeamCounts(context);
  };
  const reader = async () => {
    while (!isOver) {
      const least = done;
      const counted = (await directs()) - before;
      expect(counted).toBeGreaterThanOrEqual(least);
      expect(counted).toBeLessThanOrEqual(begun);
      expect(counted % 2).toBe(0);
    }
  };
  await Promise.all([over, summer(), summer(), reader(), reader()]);
  expect(await directs()).toBe(before + WRITERS * ROUNDS * 2);
  await sumTeamCounts(context);
  expect(await summed()).toBe(before + WRITERS * ROUNDS * 2);
});
