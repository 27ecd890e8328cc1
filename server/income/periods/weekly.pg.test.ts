import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { getBalances, getHouseBalance, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import {
  dollars,
  even,
  findPeriod,
  periodWorlds,
  playDay,
  reachDay,
  read,
  weekLines,
  writePlan,
} from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());

/** Weeks from Monday 2026-03-02. */
const open = () => worlds.open('2026-03-02');

/**
 * Below the company (1): 2 has 3, 4, 5; 6 has 7, 8, 9; 10 has 11 and 12 only; 13 has 14, 15, 16.
 */
const addSponsors = (context: Context) =>
  addTeam(context, [1n, 2n, 2n, 2n, 1n, 6n, 6n, 6n, 1n, 10n, 10n, 1n, 13n, 13n, 13n]);

/** All but 13 trade: 980 $, of whose fees of 3.92 $ the weekly pool gets 0.392 $. */
const everybodyTrades = [
  ...[2n, 3n].map((id) => even(id, 100)),
  even(4n, 200),
  even(5n, 300),
  ...[6n, 7n, 8n, 9n, 10n].map((id) => even(id, 10)),
  ...[11n, 12n].map((id) => even(id, 100)),
  ...[14n, 15n, 16n].map((id) => even(id, 10)),
];

test('a week by hand: in proportion, at most 10 % each, exactly three directs suffice, and lines of 0 have a reason', async () => {
  const context = await open();
  await addSponsors(context);
  await playDay(context, '2026-03-04', everybodyTrades);
  await sql`update identity.member set frozen_at = now() where id = 6`.execute(context.db);
  const before = await getBalances(context.db, 6n);
  await reachDay(context, '2026-03-09');

  // 600 $ and 30 $ qualify: 373 333 and 18 666 of 392 000 micros, of which 39 200 are the most.
  expect(await weekLines(context, '2026-03-02')).toEqual([
    { member_id: 1n, volume: dollars(980), active_directs: 3n, nominal: 0n, paid: 0n, reason: 'company' },
    { member_id: 2n, volume: dollars(600), active_directs: 3n, nominal: 373_333n, paid: 39_200n, reason: null },
    { member_id: 6n, volume: dollars(30), active_directs: 3n, nominal: 18_666n, paid: 18_666n, reason: null },
    { member_id: 10n, volume: dollars(200), active_directs: 2n, nominal: 0n, paid: 0n, reason: 'directs' },
    { member_id: 13n, volume: dollars(30), active_directs: 3n, nominal: 0n, paid: 0n, reason: 'inactive' },
  ]);
  expect(await findPeriod(context, 'weekly', '2026-03-02')).toMatchObject({
    state: 'done',
    pool: 392_000n,
    carried: 0n,
    total: dollars(630).toString(),
    qualified: 2n,
    paid: 57_866n,
    last_session: '2026-03-04',
    ran_at: new Date('2026-03-09T00:00:00Z'),
  });
  expect(await getHouseBalance(context.db, 'pool_weekly')).toBe(392_000n - 57_866n);
  // A frozen member goes on earning.
  expect((await getBalances(context.db, 6n)).profit - before.profit).toBe(18_666n);
  expect(
    await read(
      context,
      sql`select key, amount, reference, market_at from ledger.transfer where reason = 'weekly_income' order by id`,
    ),
  ).toEqual([
    { key: 'weekly/2026-03-02/2', amount: 39_200n, reference: 'week 2026-03-02', market_at: new Date('2026-03-09') },
    { key: 'weekly/2026-03-02/6', amount: 18_666n, reference: 'week 2026-03-02', market_at: new Date('2026-03-09') },
  ]);
  expect(
    await read(
      context,
      sql`select member_id, message from notify.notification where kind = 'weekly_income' order by id`,
    ),
  ).toEqual([
    { member_id: 2n, message: 'Week 2026-W10: $0.0392 from the weekly pool.' },
    { member_id: 6n, message: 'Week 2026-W10: $0.0187 from the weekly pool.' },
  ]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('what a week leaves is in the pool of the next one; a week without a session is none', async () => {
  const context = await open();
  await addSponsors(context);
  await playDay(context, '2026-03-04', everybodyTrades);
  // A week passes without a session.
  await playDay(context, '2026-03-18', [even(3n, 100)]);
  await reachDay(context, '2026-03-23');

  expect(
    await read(context, sql`select starts_on::text from income.period_run where kind = 'weekly' order by 1`),
  ).toEqual([{ starts_on: '2026-03-02' }, { starts_on: '2026-03-16' }]);
  expect(await findPeriod(context, 'weekly', '2026-03-16')).toMatchObject({
    pool: 334_134n + 40_000n,
    carried: 334_134n,
    paid: 37_413n,
  });
  expect(await weekLines(context, '2026-03-16')).toMatchObject([
    { member_id: 1n, reason: 'company' },
    { member_id: 2n, volume: dollars(100), nominal: 374_134n, paid: 37_413n, reason: null },
  ]);
});

test('a session without trades makes a week that pays nothing', async () => {
  const context = await open();
  await addSponsors(context);
  await playDay(context, '2026-03-04', []);
  await reachDay(context, '2026-03-09');
  expect(await findPeriod(context, 'weekly', '2026-03-02')).toMatchObject({ state: 'done', pool: 0n, paid: 0n });
  expect(await weekLines(context, '2026-03-02')).toEqual([]);
});

test('a plan without a pool share pays nothing from it, and nobody is notified of 0', async () => {
  const context = await open();
  await addSponsors(context);
  const planId = await writePlan(context, { weekly_bps: 0 });
  await playDay(context, '2026-03-04', everybodyTrades, planId);
  await reachDay(context, '2026-03-09');
  expect(await weekLines(context, '2026-03-02')).toContainEqual({
    member_id: 2n,
    volume: dollars(600),
    active_directs: 3n,
    nominal: 0n,
    paid: 0n,
    reason: null,
  });
  expect(await read(context, sql`select from notify.notification where kind = 'weekly_income'`)).toEqual([]);
});

test("the plan of the week's last session says who qualifies and what the cap is", async () => {
  const context = await open();
  await addSponsors(context);
  await playDay(context, '2026-03-04', everybodyTrades);
  const planId = await writePlan(context, { weekly_min_directs: 2, weekly_cap_bps: 10_000 });
  await playDay(context, '2026-03-05', [], planId);
  await reachDay(context, '2026-03-09');
  // 600 $, 30 $ and 200 $ of 392 000 micros; three micros' fractions stay.
  expect(await weekLines(context, '2026-03-02')).toMatchObject([
    { member_id: 1n, paid: 0n },
    { member_id: 2n, nominal: 283_373n, paid: 283_373n },
    { member_id: 6n, nominal: 14_168n, paid: 14_168n },
    { member_id: 10n, nominal: 94_457n, paid: 94_457n },
    { member_id: 13n, paid: 0n, reason: 'inactive' },
  ]);
  expect(await getHouseBalance(context.db, 'pool_weekly')).toBe(392_000n - 283_373n - 14_168n - 94_457n);
  expect(firstFeePlan.weekly_min_directs).toBe(3);
});

test('who traded 30 days before the last session is no longer active; 29 days before still is', async () => {
  const context = await open();
  await addSponsors(context);
  await playDay(context, '2026-03-02', [even(6n, 10), even(7n, 10), even(8n, 10), even(9n, 10)]);
  await playDay(context, '2026-03-03', [even(2n, 10), even(3n, 10), even(4n, 10), even(5n, 10)]);
  await playDay(context, '2026-03-31', [even(3n, 10), even(7n, 10), even(11n, 10)]);
  await playDay(context, '2026-04-01', [even(11n, 10)]);
  await reachDay(context, '2026-04-06');
  // As of 2026-04-01 those of 2026-03-02 are out: 30 days. Those of 2026-03-03 are in: 29.
  expect(await weekLines(context, '2026-03-30')).toMatchObject([
    { member_id: 1n, reason: 'company' },
    { member_id: 2n, active_directs: 3n, reason: null },
    { member_id: 6n, active_directs: 1n, reason: 'inactive' },
    { member_id: 10n, active_directs: 1n, reason: 'inactive' },
  ]);
});

test('each week notes how large a team is, of all ten levels, and how many of it are active', async () => {
  const context = await open();
  await addTeam(context, [1n, 2n, 3n, 2n]);
  await playDay(context, '2026-03-04', [even(4n, 10)]);
  await reachDay(context, '2026-03-09');
  await addTeam(context, [4n]);
  await playDay(context, '2026-03-11', [even(3n, 10)]);
  await reachDay(context, '2026-03-16');
  expect(
    await read(context, sql`select member_id, week::text, members, active from income.growth order by week, member_id`),
  ).toEqual([
    { member_id: 1n, week: '2026-03-02', members: 4n, active: 1n },
    { member_id: 2n, week: '2026-03-02', members: 3n, active: 1n },
    { member_id: 3n, week: '2026-03-02', members: 1n, active: 1n },
    { member_id: 1n, week: '2026-03-09', members: 5n, active: 2n },
    { member_id: 2n, week: '2026-03-09', members: 4n, active: 2n },
    { member_id: 3n, week: '2026-03-09', members: 2n, active: 1n },
    { member_id: 4n, week: '2026-03-09', members: 1n, active: 0n },
  ]);
});
