import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { connectPostgres } from '#server/db/connect.ts';
import { execute, listValues } from '#server/db/rows.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { createTestDatabase } from '#test/database/database.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { takeDailySnapshot } from './take-snapshot.ts';
import { verifySnapshots } from './verify-snapshots.ts';

// Few rows are shared by several processes as millions are.
const settings = [
  'min_parallel_table_scan_size=0',
  'min_parallel_index_scan_size=0',
  'parallel_setup_cost=0',
  'parallel_tuple_cost=0',
];
const options = settings.map((setting) => `-c ${setting}`).join(' ');
const database = connectPostgres(await createTestDatabase(), { options });
const { context } = closeAfterAll(await bootWithoutMarket('2026-03-04T09:00:00Z', {}, database));
const { db } = context;
const members = await addTeam(context, Array(700).fill(1n));
for (const memberId of members.slice(0, 20)) await giveFunds(context, memberId, memberId * 1_000_003n);

test('a tree that several processes made is the one that the check makes', async () => {
  expect(await takeDailySnapshot(context)).toMatchObject({ no: 1n, leaves: 2048 });
  expect(await verifySnapshots(db, 'all')).toEqual([]);
});

test.each([
  [
    'members',
    sql`select * from solvency.members_between(1, 300, 1, ''::bytea, ''::bytea)
     union all select * from solvency.members_between(300, null, 1, ''::bytea, ''::bytea)`,
  ],
  [
    'leaves',
    sql`select solvency.part_hash(hash, 1, solvency.draw_below(solvency.split_bytes(hash), 1, 1))
     from solvency.node where slot = 1 and level = 0`,
  ],
])('hashes of %s are made by those who share the work', async (_, query) => {
  await execute(db)`analyze`;
  const plan = await listValues(db)<string>`explain (verbose, costs off) ${query}`;
  const [gathered] = plan.filter((line) => line.includes('Gather')).map((line) => plan.indexOf(line));
  expect(gathered).toBeDefined();
  expect(plan.slice(gathered).some((line) => line.includes('Output: ') && line.includes('sha256('))).toBe(true);
});
