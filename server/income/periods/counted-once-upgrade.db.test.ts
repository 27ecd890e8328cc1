import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate, readMigrations } from '#server/db/migrate.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openEmptyDatabase } from '#test/database/database.ts';
import { bootWithoutMarket } from '#test/kit/boot.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { listMonthly, listWeekly } from './list-periods.ts';
import { even, playDay, reachDay, read } from './period-world.test-setup.ts';

/** The last migration before rule 2. */
const BEFORE = 63;
const UPGRADED_AT = '2026-03-04T12:00:00Z';

const database = closeAfterAll(await openEmptyDatabase());
await migrate(
  database,
  readMigrations().filter(({ number }) => number <= BEFORE),
);
const { context } = await bootWithoutMarket(UPGRADED_AT, {}, database);
await database.runScript(`
  insert into income.period_run (kind, starts_on, ends_on, fee_plan_id, last_session, state, pool, carried, total, qualified, paid,
    inputs_hash, outputs_hash, ran_at, finished_at)
  values ('weekly', '2026-02-23', '2026-03-02', 1, '2026-02-27', 'done', 0, 0, 0, 0, 0, repeat('a', 64), repeat('b', 64), now(), now());`);
await migrate(database);
// 2 with 3, 4 and 5, and each of them with one more.
await addTeam(context, [1n, 2n, 2n, 2n, 3n, 4n, 5n]);

const rulesOf = () =>
  read(
    context,
    sql`select kind, starts_on::text as "startsOn", rule::int, released > 0 as "isReleased" from income.period_run order by starts_on, kind`,
  );

test('contributed parts stored in a row per member are migrated to a row per batch', async () => {
  const older = await openEmptyDatabase();
  try {
    const until = readMigrations().findIndex(({ name }) => name.includes('contributed-parts'));
    await migrate(older, readMigrations().slice(0, until));
    await older.runScript(`
      insert into income.contribution (kind, starts_on, member_id, contributed) values
        ('weekly', '2026-03-02', 2, 10), ('weekly', '2026-03-02', 4096, 20), ('monthly', '2026-03-01', 2, 30),
        ('monthly', '2026-03-01', 3, 40), ('rewards', '2026-03-01', 3, 50), ('rewards', '2026-03-01', 4, 60)`);
    await migrate(older);
    const { rows } = await sql`
      select c.kind, c.starts_on::text as "startsOn", c.no, part.*
      from income.contribution c cross join lateral unnest(contributors, contributed, reward_contributed) as part(id, part, "rewardPart")
      order by kind, no, id`.execute(older.db);
    const month = { kind: 'monthly', startsOn: '2026-03-01', no: 0 };
    const week = { kind: 'weekly', startsOn: '2026-03-02', rewardPart: null };
    expect(rows).toEqual([
      { ...month, id: 2n, part: 30n, rewardPart: 0n },
      { ...month, id: 3n, part: 40n, rewardPart: 50n },
      { ...month, id: 4n, part: 0n, rewardPart: 60n },
      { ...week, no: 0, id: 2n, part: 10n },
      { ...week, no: 1, id: 4096n, part: 20n },
    ]);
  } finally {
    await older.close();
  }
});

test('what was computed before the upgrade is of the first rule, with its hashes', async () => {
  expect(
    await read(context, sql`select rule::int, released, inputs_hash, outputs_hash from income.period_run`),
  ).toEqual([{ rule: 1, released: 0n, inputs_hash: 'a'.repeat(64), outputs_hash: 'b'.repeat(64) }]);
});

test('the week and the month under way keep the first rule, those that begin later count a dollar once', async () => {
  const trades = [2n, 3n, 4n, 5n, 6n, 7n, 8n].map((id) => even(id, 3000));
  await playDay(context, '2026-03-04', trades);
  expect((await listWeekly(context, 2n, { limit: 5 })).current).toMatchObject({ counted_once: false, pool: 8.4 });
  await playDay(context, '2026-03-09', trades);
  // The rest of the week under rule 1 is not distributed in this one.
  expect((await listWeekly(context, 2n, { limit: 5 })).current).toMatchObject({ counted_once: true, pool: 8.4 });
  expect((await listMonthly(context, 2n, { limit: 5 })).current).toMatchObject({ counted_once: false, pool: 16.8 });
  await playDay(context, '2026-04-01', trades);
  await reachDay(context, '2026-05-01');
  expect(await rulesOf()).toEqual([
    { kind: 'weekly', startsOn: '2026-02-23', rule: 1, isReleased: false },
    { kind: 'monthly', startsOn: '2026-03-01', rule: 1, isReleased: false },
    { kind: 'weekly', startsOn: '2026-03-02', rule: 1, isReleased: false },
    { kind: 'weekly', startsOn: '2026-03-09', rule: 2, isReleased: true },
    { kind: 'weekly', startsOn: '2026-03-30', rule: 2, isReleased: true },
    { kind: 'monthly', startsOn: '2026-04-01', rule: 2, isReleased: true },
  ]);
  const weeks = (await listWeekly(context, 2n, { limit: 5 })).items;
  expect(weeks.map(({ week, contributed, qualifying_volume }) => [week, contributed, qualifying_volume])).toEqual([
    ['2026-W14', 7.2, null],
    ['2026-W11', 7.2, null],
    ['2026-W10', null, 18_000],
  ]);
  const months = (await listMonthly(context, 2n, { limit: 5 })).items;
  expect(months.map(({ period, contributed }) => [period, contributed])).toEqual([
    ['2026-04', 7.2],
    ['2026-03', null],
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});
