import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { addTeam, settleSession } from '#test/worlds/settled-session.ts';
import { findDiscrepancy } from '../core/discrepancy.ts';
import { listAllChecks } from '../reconciliation/reconcile.ts';
import { listMonthly, listWeekly } from './list-periods.ts';
import { isAllComputed, payDue } from './pay-due.ts';
import { computePeriod, findDuePeriod, payComputed } from './pay-period.ts';
import {
  even,
  findPeriod,
  moveClock,
  periodWorlds,
  playDay,
  reachDay,
  read,
  readPeriodBooks,
} from './period-world.test-setup.ts';

const worlds = closeAfterAll(periodWorlds());

/**
 * 2 has 3, 4, 5, of whom 3 has 5 000 (in another block of members) and one more; 2026-05-31 is a Sunday, with which
 * week and month end together.
 */
async function openMay(): Promise<Context> {
  const context = await worlds.open('2026-05-25');
  await addTeam(context, [1n, 2n, 2n, 2n]);
  await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 5000)`.execute(context.db);
  await addTeam(context, [3n, 3n]);
  return context;
}

const sessions = [
  { day: '2026-05-29', trades: [even(2n, 1), even(3n, 3000), even(4n, 2000), even(5001n, 2500)] },
  { day: '2026-05-31', trades: [even(5n, 10.123457), even(3n, 100), even(5002n, 2500.5)] },
  { day: '2026-06-02', trades: [even(2n, 10), even(3n, 1000), even(5001n, 7)] },
] as const;

async function playMay(): Promise<Context> {
  const context = await openMay();
  for (const { day, trades } of sessions) await playDay(context, day, trades);
  await reachDay(context, '2026-06-08');
  return context;
}

test('a week and a month that end together are paid with the midnight after, the week first, before the next session', async () => {
  const context = await playMay();
  const keys = await read(
    context,
    sql`select key, market_at from ledger.transfer where reason in ('weekly_income', 'monthly_income') order by id`,
  );
  const on = (day: string) => new Date(`${day}T12:20:00Z`);
  expect(keys).toEqual([
    { key: 'weekly/2026-05-25/2', market_at: on('2026-06-02') },
    { key: 'monthly/2026-05-01/2', market_at: on('2026-06-02') },
    { key: 'monthly/2026-05-01/3', market_at: on('2026-06-02') },
    { key: 'weekly/2026-06-01/2', market_at: new Date('2026-06-08') },
  ]);
  expect(
    await read(context, sql`select kind, starts_on::text from income.period_run order by ends_on, kind desc`),
  ).toEqual([
    { kind: 'weekly', starts_on: '2026-05-25' },
    { kind: 'monthly', starts_on: '2026-05-01' },
    { kind: 'weekly', starts_on: '2026-06-01' },
  ]);
  // June has not ended.
  expect(await findDuePeriod(context.db, '2026-06-30')).toBeUndefined();
  expect(await findDuePeriod(context.db, '2026-07-01')).toEqual({
    kind: 'monthly',
    startsOn: '2026-06-01',
    endsOn: '2026-07-01',
  });
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('after days of standstill everything is paid late, in its order, each with its own numbers', async () => {
  const timely = await readPeriodBooks(await playMay());
  const context = await openMay();
  for (const { day, trades } of sessions) await settleSession(context, day, trades);
  await moveClock(context, '2026-06-20T12:00:00Z');
  await payDue(context);
  expect(await readPeriodBooks(context)).toEqual(timely);
  expect((await findPeriod(context, 'weekly', '2026-05-25')).ran_at).toEqual(new Date('2026-06-20T12:00:00Z'));
});

test('called again it changes nothing, and nothing is due', async () => {
  const context = await playMay();
  const books = await readPeriodBooks(context);
  await computePeriod(context, { kind: 'weekly', startsOn: '2026-05-25', endsOn: '2026-06-01' });
  await computePeriod(context, { kind: 'monthly', startsOn: '2026-05-01', endsOn: '2026-06-01' });
  await payComputed(context);
  expect(await readPeriodBooks(context)).toEqual(books);
  expect(await findDuePeriod(context.db, '2026-06-08')).toBeUndefined();
});

/** An alarm that holds weekly and monthly payments. */
const holding = { mayPayPeriod: async () => false, reportFault: (why: string) => Promise.reject(new Error(why)) };

/** The same days while an alarm stands from before the first week ends until June 8th. */
async function playHeldMay(follow: (context: Context) => Promise<unknown>): Promise<Context> {
  const context = await openMay();
  for (const { day, trades } of sessions) {
    await moveClock(context, `${day}T12:20:00Z`);
    await follow(context);
    await settleSession(context, day, trades);
    await moveClock(context, `${day}T17:30:00Z`);
    await follow(context);
  }
  await moveClock(context, '2026-06-08T00:00:00Z');
  await follow(context);
  return context;
}

const findFaults = async (context: Context) =>
  (await inSnapshot(context.db, listAllChecks)).flatMap((check) => findDiscrepancy(check) ?? []);

test('payments held by an alarm are made from stored lines once it is cleared: the same amounts and hashes as without one', async () => {
  const undisturbed = await readPeriodBooks(await playMay());
  const context = await playHeldMay((world) => payDue(world, holding));
  const held = await readPeriodBooks(context);
  expect(held.transfers).toEqual([]);
  expect(held.messages?.filter(({ kind }) => kind !== 'reward_claimable')).toEqual([]);
  expect(held.runs?.map(({ state }) => state)).toEqual(['paying', 'paying', 'paying']);
  for (const part of ['weeks', 'months', 'legs', 'growth', 'rewards', 'blocks'])
    expect(held[part]).toEqual(undisturbed[part]);
  for (const { items, lifetime } of [
    await listWeekly(context, 2n, { limit: 5 }),
    await listMonthly(context, 2n, { limit: 5 }),
  ]) {
    expect(lifetime).toBe(0);
    expect(items.filter((line) => line.held !== line.paid > 0)).toEqual([]);
    expect(items.some((line) => line.held)).toBe(true);
  }
  expect(await findFaults(context)).toEqual([]);

  await moveClock(context, '2026-06-08T09:00:00Z');
  await payDue(context);
  expect(await readPeriodBooks(context)).toEqual(undisturbed);
  expect(
    await read(context, sql`select distinct market_at from ledger.transfer where reason = 'weekly_income'`),
  ).toEqual([{ market_at: new Date('2026-06-08T09:00:00Z') }]);
  expect((await listWeekly(context, 2n, { limit: 5 })).items.filter((line) => line.held)).toEqual([]);
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('killed at every single query while a week and a month are computed and held, and again while they are paid: the same books', async () => {
  const undisturbed = await readPeriodBooks(await playMay());
  const context = await playHeldMay((world) => killAtEveryQuery(world, (killed) => payDue(killed, holding)));
  expect((await readPeriodBooks(context)).transfers).toEqual([]);
  expect(await killAtEveryQuery(context, (killed) => payDue(killed))).toBeGreaterThan(10);
  expect(await readPeriodBooks(context)).toEqual(undisturbed);
});

test('an alarm in the middle of a payment holds the blocks that are left, and they are paid once', async () => {
  const undisturbed = await readPeriodBooks(await playMay());
  const context = await playHeldMay((world) => payDue(world, holding));
  // Two batches are due. The guard is checked for the run and before each batch; the alarm comes before the second.
  await sql`update income.period_block set is_paid = false where starts_on = '2026-05-25' and no = 1`.execute(
    context.db,
  );
  let asked = 0;
  await payComputed(context, {
    ...holding,
    mayPayPeriod: async () => {
      asked += 1;
      return asked <= 2;
    },
  });
  expect(
    await read(context, sql`select no, is_paid from income.period_block where starts_on = '2026-05-25' order by no`),
  ).toEqual([
    { no: 0, is_paid: true },
    { no: 1, is_paid: false },
  ]);
  expect(await findFaults(context)).toEqual([]);
  await payDue(context);
  expect(await readPeriodBooks(context)).toEqual(undisturbed);
});

test('what an alarm held after the payment began is dated when it is made', async () => {
  const context = await playHeldMay((world) => payDue(world, holding));
  let asked = 0;
  // Checked for the run; then the alarm comes before the first batch.
  await payComputed(context, { ...holding, mayPayPeriod: async () => ++asked === 1 });
  expect((await readPeriodBooks(context)).transfers).toEqual([]);
  await moveClock(context, '2026-06-10T09:00:00Z');
  await payDue(context);
  expect(
    await read(context, sql`select distinct market_at from ledger.transfer where reason = 'weekly_income'`),
  ).toEqual([{ market_at: new Date('2026-06-10T09:00:00Z') }]);
});

test('a week that cannot be paid delays neither the month nor the next week, and is paid once it can', async () => {
  const undisturbed = await readPeriodBooks(await playMay());
  const only = `check (starts_on <> '2026-05-25' or state in ('computing', 'paying'))`;
  const context = await playHeldMay(async (world) => {
    await sql`alter table income.period_run drop constraint if exists no_week`.execute(world.db);
    await sql`alter table income.period_run add constraint no_week ${sql.raw(only)}`.execute(world.db);
    await payDue(world).catch((error: unknown) => expect(error).toMatchObject({ constraint: 'no_week' }));
  });
  const states = () =>
    read(context, sql`select kind, starts_on::text, state from income.period_run order by ends_on, kind desc`);
  expect(await states()).toEqual([
    { kind: 'weekly', starts_on: '2026-05-25', state: 'paying' },
    { kind: 'monthly', starts_on: '2026-05-01', state: 'done' },
    { kind: 'weekly', starts_on: '2026-06-01', state: 'done' },
  ]);
  await sql`alter table income.period_run drop constraint no_week`.execute(context.db);
  await payDue(context);
  expect(await readPeriodBooks(context)).toEqual(undisturbed);
  expect([...(await findFaults(context)), ...(await verifyLedger(context.db))]).toEqual([]);
});

test('a ledger that does not reconcile raises the alarm, and later sessions and bonus runs continue', async () => {
  const context = await openMay();
  const [first, , later] = sessions;
  await playDay(context, first.day, first.trades);
  await sql`update income.bonus_run set pool_weekly = pool_weekly + 1, trade_revenue = trade_revenue - 1`.execute(
    context.db,
  );
  const alarms: string[] = [];
  const guard = {
    mayPayPeriod: async () => alarms.length === 0,
    reportFault: async (why: string) => void alarms.push(why),
  };
  await settleSession(context, later.day, later.trades);
  await moveClock(context, '2026-06-02T17:30:00Z');
  await payDue(context, guard);
  expect(alarms[0]).toContain('weekly pool');
  expect(await isAllComputed(context.db)).toBe(true);
  expect(
    await read(context, sql`select session_day::text as day, state, books_hold from income.bonus_run order by 1`),
  ).toEqual([
    { day: '2026-05-29', state: 'done', books_hold: true },
    { day: '2026-06-02', state: 'done', books_hold: false },
  ]);
});

test('a period cannot begin once a later session is distributed: its qualifications are gone', async () => {
  const context = await openMay();
  const [first] = sessions;
  await playDay(context, first.day, first.trades);
  await sql`
    insert into income.bonus_run (session_day, closes_at, fee_plan_id) values ('2026-06-02', '2026-06-02T17:30Z', 1)`.execute(
    context.db,
  );
  const late = computePeriod(context, { kind: 'weekly', startsOn: '2026-05-25', endsOn: '2026-06-01' });
  await expect(late).rejects.toThrow('the weekly run of 2026-05-25 begins before a later session is distributed');
  expect(await findPeriod(context, 'weekly', '2026-05-25')).toBeUndefined();
});

test('a ledger that does not reconcile keeps the run in checking', async () => {
  const context = await openMay();
  const [first] = sessions;
  await playDay(context, first.day, first.trades);
  await moveClock(context, '2026-06-02T12:20:00Z');
  await sql`update income.bonus_run set pool_weekly = pool_weekly + 1, trade_revenue = trade_revenue - 1`.execute(
    context.db,
  );
  await expect(payDue(context)).rejects.toThrow('weekly pool');
  expect(await findPeriod(context, 'weekly', '2026-05-25')).toMatchObject({ state: 'checking' });
});
