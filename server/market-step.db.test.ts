import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket } from '#server/market/index.ts';
import { followMarket, placeTrade } from '#server/trading/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootTest } from '#test/kit/boot.ts';
import { playUntil, recordMarket, still } from '#test/recorded/recorded-market.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { runMarket } from './income/index.ts';
import { isAllComputed } from './income/periods/pay-due.ts';
import { read } from './income/periods/period-world.test-setup.ts';

/** Saturday to Tuesday: 2026-03-07 to 2026-03-10. btc rises in every session. */
const recording = recordMarket({
  from: '2026-03-07T12:00:00Z',
  minutes: 3 * 1440 + 400,
  candle: (_, at) => still(String(100 + Math.max(0, at.getUTCHours() - 12))),
  symbols: ['btc'],
});
afterAll(() => recording.remove());

/** 2 sponsors 3 and 4. */
async function openWorld(): Promise<Context> {
  const env = { MARKET_FEED: 'replay', REPLAY_DATA: recording.folder, MARKET_START: '2026-03-07T12:20:00Z' };
  const { context } = closeAfterAll(await bootTest({ ...env, MARKET_SPEED: '3600' }));
  const members = await addTeam(context, [1n, 2n, 2n]);
  for (const memberId of members) await giveFunds(context, memberId, 1_000_000_000n);
  return context;
}

async function placeAll(context: Context): Promise<void> {
  for (const memberId of [2n, 3n, 4n])
    await placeTrade(context, memberId, { tradeId: 'btc', amount: 10, wallet_type: 'primary' });
}

const sessions = async (context: Context): Promise<string[]> =>
  (await read(context, sql`select day::text, state from trading.session order by day`)).map(
    ({ day, state }) => `${day} ${state}`,
  );
const runs = async (context: Context): Promise<string[]> =>
  (
    await read(
      context,
      sql`select session_day::text as name, state from income.bonus_run union all
        select kind || ' ' || starts_on, state from income.period_run order by 1`,
    )
  ).map(({ name, state }) => `${name} ${state}`);

const context = await openWorld();

test('the market’s worker distributes a session as soon as it is settled', async () => {
  await placeAll(context);
  await playUntil(context, '2026-03-07T12:31:00Z', () => runMarket(context));
  expect(await runs(context)).toEqual([]);
  await playUntil(context, '2026-03-07T17:31:00Z', () => runMarket(context));
  expect(await sessions(context)).toEqual(['2026-03-07 settled', '2026-03-08 scheduled']);
  expect(await runs(context)).toEqual(['2026-03-07 done']);
  // Two directs paid $0.04 each.
  expect(
    await read(
      context,
      sql`select amount, reference, market_at from ledger.transfer where key = 'bonus/2026-03-07/referral/2'`,
    ),
  ).toEqual([{ amount: 16_000n, reference: 'session 2026-03-07', market_at: new Date('2026-03-07T17:30:00Z') }]);
});

test('the week is paid once it has ended, before its next session opens', async () => {
  await playUntil(context, '2026-03-08T12:31:00Z', () => runMarket(context));
  await playUntil(context, '2026-03-08T17:31:00Z', () => runMarket(context));
  expect(await runs(context)).toEqual(['2026-03-07 done', '2026-03-08 done']);
  const { skipTo } = await runMarket(context);
  await advanceMarket(context, { elapsedMs: 0, skipTo });
  await runMarket(context);
  expect(await runs(context)).toEqual(['2026-03-07 done', '2026-03-08 done', 'weekly 2026-03-02 done']);
  expect(await sessions(context)).toContain('2026-03-09 scheduled');
  expect(await verifyLedger(context.db)).toEqual([]);
});

test('no session opens before the previous one is distributed and the previous week is paid', async () => {
  const world = await openWorld();
  await placeAll(world);
  await playUntil(world, '2026-03-07T12:31:00Z', () => followMarket(world));
  await playUntil(world, '2026-03-07T17:31:00Z', () => followMarket(world));
  expect(await isAllComputed(world.db)).toBe(false);
  await placeAll(world);
  // A worker that may not pay reaches the opening: it waits.
  const waiting = () => followMarket(world, { mayOpen: () => isAllComputed(world.db) });
  await playUntil(world, '2026-03-08T12:40:00Z', waiting);
  expect(await sessions(world)).toEqual(['2026-03-07 settled', '2026-03-08 scheduled']);
  await runMarket(world);
  expect(await runs(world)).toEqual(['2026-03-07 done']);
  expect(await sessions(world)).toEqual(['2026-03-07 settled', '2026-03-08 open']);
});

test('under an alarm sessions open and are distributed; a week is computed, and paid once it is cleared', async () => {
  const world = await openWorld();
  let isAlarmed = true;
  const guard = { mayPayPeriod: async () => !isAlarmed, reportFault: (why: string) => Promise.reject(new Error(why)) };
  const follow = () => runMarket(world, { guard });
  for (const day of ['2026-03-07', '2026-03-08']) {
    await placeAll(world);
    await playUntil(world, `${day}T12:31:00Z`, follow);
    await playUntil(world, `${day}T17:31:00Z`, follow);
  }
  await playUntil(world, '2026-03-09T12:40:00Z', follow);
  const shared = ['2026-03-07 done', '2026-03-08 done'];
  expect(await runs(world)).toEqual([...shared, 'weekly 2026-03-02 paying']);
  expect(await sessions(world)).toContain('2026-03-09 open');
  await playUntil(world, '2026-03-09T17:31:00Z', follow);
  expect(await runs(world)).toEqual([...shared, '2026-03-09 done', 'weekly 2026-03-02 paying']);
  const transfers = sql`select coalesce(sum(amount), 0)::bigint as paid from ledger.transfer where reason = 'weekly_income'`;
  expect(await read(world, transfers)).toEqual([{ paid: 0n }]);
  isAlarmed = false;
  await follow();
  expect(await runs(world)).toEqual([...shared, '2026-03-09 done', 'weekly 2026-03-02 done']);
  expect(await verifyLedger(world.db)).toEqual([]);
});

test('a week that cannot be paid stops no session, and is paid once it can', async () => {
  const world = await openWorld();
  await sql`alter table income.period_run add constraint no_weekly check (state in ('computing', 'paying'))`.execute(
    world.db,
  );
  const faults = new Set<string>();
  const follow = () => runMarket(world).catch((error: Error) => faults.add(error.message));
  for (const day of ['2026-03-07', '2026-03-08', '2026-03-09']) {
    await placeAll(world);
    await playUntil(world, `${day}T12:31:00Z`, follow);
    await playUntil(world, `${day}T17:31:00Z`, follow);
  }
  const shared = ['2026-03-07 done', '2026-03-08 done', '2026-03-09 done'];
  expect(await runs(world)).toEqual([...shared, 'weekly 2026-03-02 paying']);
  expect([...faults]).toEqual([expect.stringContaining('no_weekly')]);
  await sql`alter table income.period_run drop constraint no_weekly`.execute(world.db);
  await runMarket(world);
  expect(await runs(world)).toEqual([...shared, 'weekly 2026-03-02 done']);
  expect(await verifyLedger(world.db)).toEqual([]);
});

test('sessions that settled before any was distributed are distributed first', async () => {
  const world = await openWorld();
  for (const day of ['2026-03-07', '2026-03-08', '2026-03-09']) {
    await placeAll(world);
    await playUntil(world, `${day}T12:31:00Z`, () => followMarket(world));
    await playUntil(world, `${day}T17:31:00Z`, () => followMarket(world));
  }
  await runMarket(world);
  expect(await runs(world)).toEqual([
    '2026-03-07 done',
    '2026-03-08 done',
    '2026-03-09 done',
    'weekly 2026-03-02 done',
  ]);
  const [order] = await read(
    world,
    sql`select (select max(id) from ledger.transfer where key like 'bonus/2026-03-08/%') < (select min(id) from ledger.transfer where key like 'bonus/2026-03-09/%') as sessions`,
  );
  expect(order).toEqual({ sessions: true });
});
