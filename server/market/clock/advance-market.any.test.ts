import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openTestDatabase } from '#test/database/database.ts';
import { testClock, testContext } from '#test/worlds/builders.ts';
import { listAssets } from '../assets/list-assets.ts';
import { listTicks } from '../candles/tick-sql.ts';
import { type FeedCandle, tickPath } from '../core/candle.ts';
import { getFeed } from '../feeds/get-feed.ts';
import { makeCandles, recordMade, toLine, writeRecording } from '../feeds/made-recording.test.fixture.ts';
import { countCandles, emptyMarket, fingerprint } from '../feeds/market-fingerprint.test.fixture.ts';
import { advanceMarket, releaseMarket } from './advance-market.ts';
import { getMarketTime } from './clock-sql.ts';
import { prepareMarket } from './prepare-market.ts';

const FROM = '2026-03-03T00:00:00Z';
const TO = '2026-03-06T00:00:00Z';
const START = new Date('2026-03-04T12:20:00Z');
const later = (minutes: number) => new Date(START.getTime() + minutes * 60_000);

let folder: string;
const databases = [closeAfterAll(await openTestDatabase()), closeAfterAll(await openTestDatabase())];
beforeEach(() => {
  folder = recordMade(['btc', 'eth'], FROM, TO);
});

/** A new market on a recording, ten minutes before an opening; `which` tells two apart when a test compares them. */
async function begin(env: Record<string, string> = {}, which = 0) {
  const database = databases[which] as (typeof databases)[0];
  const clock = testClock();
  const context = testContext(database, clock, { MARKET_FEED: 'replay', REPLAY_DATA: folder, ...env });
  await emptyMarket(context.db);
  await prepareMarket(context);
  return { ...context, clock };
}

describe('one step', () => {
  let context: Context;
  beforeEach(async () => {
    context = await begin();
  });

  test('moves the clock by elapsed time × speed and plays each candle as its four prices', async () => {
    expect(await advanceMarket(context, { elapsedMs: 1000 })).toEqual({ marketAt: later(1), advanced: true });
    const ticks = await listTicks(context.db, { after: START, upTo: later(1) });
    const minutes = makeCandles('btc', '2026-03-04T12:20:00Z', '2026-03-04T12:22:00Z', 60) as [FeedCandle, FeedCandle];
    const [, low, high, close] = tickPath(minutes[0], 60);
    const expected = [low, high, close, tickPath(minutes[1], 60)[0]];
    expect(ticks.filter((tick) => tick.symbol === 'btc')).toEqual(
      expected.map((tick) => ({ symbol: 'btc', price: `${tick?.price}`, at: new Date(tick?.atMs ?? 0) })),
    );
    expect(ticks.map((tick) => tick.symbol)).toEqual(['btc', 'eth', 'btc', 'eth', 'btc', 'eth', 'btc', 'eth']);
    expect((await listAssets(context.db))[0]?.mark).toEqual(ticks[6]);
  });

  test('counts an absence of more than two seconds as two', async () => {
    expect((await advanceMarket(context, { elapsedMs: 3_600_000 })).marketAt).toEqual(later(2));
  });

  test('of zero time changes nothing', async () => {
    const before = await fingerprint(context.db);
    await advanceMarket(context, { elapsedMs: 0 });
    expect(await fingerprint(context.db)).toEqual(before);
  });

  test('never goes back, neither by a skip nor in the database', async () => {
    await advanceMarket(context, { elapsedMs: 1000 });
    expect((await advanceMarket(context, { elapsedMs: 1000, skipTo: START })).marketAt).toEqual(later(1));
    await expect(sql`update market.clock set at = ${START}`.execute(context.db)).rejects.toMatchObject({
      code: 'TWM01',
    });
    await expect(sql`delete from market.clock`.execute(context.db)).rejects.toMatchObject({ code: 'TWM01' });
  });

  test('refuses a negative elapsed time', async () => {
    await expect(advanceMarket(context, { elapsedMs: -1 })).rejects.toThrow('time does not run backwards');
  });
});

test('an unprepared market does not move', async () => {
  const context = await begin();
  await emptyMarket(context.db);
  await expect(advanceMarket(context, { elapsedMs: 1 })).rejects.toThrow('prepareMarket has not run');
});

test('steps of any length produce the same market', async () => {
  const [coarse, fine] = [await begin(), await begin({}, 1)];
  for (let second = 0; second < 30; second += 1) await advanceMarket(coarse, { elapsedMs: 1000 });
  for (const elapsedMs of [250, 1, 749, 333, 667, 2000, 1500, 500]) await advanceMarket(fine, { elapsedMs });
  while ((await getMarketTime(fine.db)) < later(30)) await advanceMarket(fine, { elapsedMs: 500 });
  expect(await fingerprint(fine.db)).toEqual(await fingerprint(coarse.db));
});

describe('a skip', () => {
  test('leaves the same candles and marks as playing would, and ticks of its last minutes only', async () => {
    const [skipped, played] = [await begin({ MARKET_SPEED: '3600' }), await begin({ MARKET_SPEED: '3600' }, 1)];
    const goal = new Date('2026-03-05T12:20:00Z');
    expect(await advanceMarket(skipped, { elapsedMs: 500, skipTo: goal })).toEqual({ marketAt: goal, advanced: true });
    for (let hour = 0; hour < 24; hour += 1) await advanceMarket(played, { elapsedMs: 1000 });
    const [here, there] = [await fingerprint(skipped.db), await fingerprint(played.db)];
    expect(here).toEqual({ ...there, ticks: here.ticks });

    const from = new Date(goal.getTime() - 15 * 60_000);
    const lastOf = (context: Context) => listTicks(context.db, { after: from, upTo: goal });
    expect(await lastOf(skipped)).toEqual(await lastOf(played));
    expect(await lastOf(skipped)).toHaveLength(2 * 15 * 4);
    expect(await listTicks(skipped.db, { after: START, upTo: from })).toEqual([]);
    expect((await listAssets(skipped.db)).filter((asset) => asset.active).map((asset) => asset.stale)).toEqual([
      false,
      false,
    ]);
  });

  test('stores the day it skips, aggregated from its quarters of an hour', async () => {
    const context = await begin();
    await advanceMarket(context, { elapsedMs: 0, skipTo: new Date('2026-03-05T00:00:00Z') });
    const { rows } = await sql<{ open: string; high: string; low: string; close: string }>`
      select open::text, high::text, low::text, close::text from market.candle
      where asset_id = 1 and step_seconds = 86400 and at = '2026-03-04T00:00:00Z'`.execute(context.db);
    const [day] = makeCandles('btc', '2026-03-04T00:00:00Z', '2026-03-05T00:00:00Z', 86_400);
    expect(rows).toEqual([{ open: `${day?.open}`, high: `${day?.high}`, low: `${day?.low}`, close: `${day?.close}` }]);
  });
});

describe('a process killed in between', () => {
  /** As if the process died before the transaction committed: everything it wrote is gone. */
  const breakAt = (context: Context, at: Date) =>
    sql`${sql.raw(`
      create function market.break_here() returns trigger language plpgsql as $$
      begin if new.at > '${at.toISOString()}' then raise exception 'killed'; end if; return new; end $$`)}`
      .execute(context.db)
      .then(() =>
        sql`create trigger break_here before update on market.clock for each row execute function market.break_here()`.execute(
          context.db,
        ),
      );
  const mend = (context: Context) => sql`drop function market.break_here() cascade`.execute(context.db);

  test('leaves nothing of an unfinished step, and the next step misses and doubles nothing', async () => {
    const [broken, whole] = [await begin(), await begin({}, 1)];
    for (const context of [broken, whole]) await advanceMarket(context, { elapsedMs: 700 });
    const before = await fingerprint(broken.db);
    await breakAt(broken, before.at);
    await expect(advanceMarket(broken, { elapsedMs: 2000 })).rejects.toThrow('killed');
    expect(await fingerprint(broken.db)).toEqual(before);
    await mend(broken);
    for (const context of [broken, whole]) await advanceMarket(context, { elapsedMs: 2000 });
    expect(await fingerprint(broken.db)).toEqual(await fingerprint(whole.db));
  });

  test('resumes a skip where it was cut off', async () => {
    const [broken, whole] = [await begin(), await begin({}, 1)];
    const goal = new Date('2026-03-05T12:20:00Z');
    await breakAt(broken, new Date('2026-03-05T01:00:00Z'));
    await expect(advanceMarket(broken, { elapsedMs: 0, skipTo: goal })).rejects.toThrow('killed');
    expect(await getMarketTime(broken.db)).toEqual(new Date('2026-03-05T00:20:00Z'));
    await mend(broken);
    for (const context of [broken, whole]) await advanceMarket(context, { elapsedMs: 0, skipTo: goal });
    expect(await fingerprint(broken.db)).toEqual(await fingerprint(whole.db));
  });
});

describe('two workers', () => {
  const step = (context: Context, holder: string) => advanceMarket(context, { elapsedMs: 1000, holder });

  test('only the holder of the clock moves it, so it does not run at double speed', async () => {
    const context = await begin();
    await step(context, 'first');
    context.clock.advance(4.9);
    expect(await step(context, 'second')).toEqual({ marketAt: later(1), advanced: false });
    expect(await step(context, 'first')).toEqual({ marketAt: later(2), advanced: true });
  });

  test('another takes over five seconds after the last sign of the holder', async () => {
    const context = await begin();
    await step(context, 'first');
    context.clock.advance(5);
    expect(await step(context, 'second')).toEqual({ marketAt: later(2), advanced: true });
    expect(await step(context, 'first')).toMatchObject({ advanced: false });
  });

  test('another takes over from one that died while its clock was a day ahead', async () => {
    const context = await begin();
    const ahead = { ...context, now: () => new Date(context.now().getTime() + 24 * 3_600_000) };
    await step(ahead, 'first');
    expect(await step(context, 'second')).toEqual({ marketAt: later(2), advanced: true });
    expect(await step(context, 'third')).toMatchObject({ advanced: false });
  });

  test('another takes over at once when the holder releases the clock, but nobody can release it for the holder', async () => {
    const context = await begin();
    await step(context, 'first');
    await releaseMarket(context, 'second');
    expect(await step(context, 'second')).toMatchObject({ advanced: false });
    await releaseMarket(context, 'first');
    expect(await step(context, 'second')).toMatchObject({ advanced: true });
  });

  test('many concurrent calls of one holder each move the clock once', async () => {
    const context = await begin();
    await Promise.all(Array.from({ length: 10 }, () => advanceMarket(context, { elapsedMs: 100 })));
    expect(await getMarketTime(context.db)).toEqual(later(1));
    expect(await listTicks(context.db, { after: START, upTo: later(1) })).toHaveLength(2 * 4);
  });
});

test('a recording stops at its end and says so', async () => {
  const context = await begin();
  expect(await getFeed(context)).toMatchObject({ label: 'Replay', ended: false });
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date('2026-03-05T23:59:00Z') });
  for (let call = 0; call < 3; call += 1) await advanceMarket(context, { elapsedMs: 2000 });
  const ended = {
    kind: 'replay',
    label: 'Replay',
    at: '2026-03-06T00:00:00.000Z',
    speed: 60,
    stale: false,
    ended: true,
  };
  expect(await getFeed(context)).toEqual(ended);
  const before = await fingerprint(context.db);
  await advanceMarket(context, { elapsedMs: 2000, skipTo: new Date('2026-03-09T12:20:00Z') });
  expect(await fingerprint(context.db)).toEqual(before);
});

test('ticks and minutes are kept for three days; longer candles stay', async () => {
  folder = recordMade(['btc', 'eth'], FROM, '2026-03-09T00:00:00Z');
  const context = await begin();
  await advanceMarket(context, { elapsedMs: 1000 });
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date('2026-03-07T12:20:00Z') });
  expect(await listTicks(context.db, { after: START, upTo: later(1) })).toHaveLength(8);
  const quarters = (await countCandles(context.db))[900] as number;
  await advanceMarket(context, { elapsedMs: 0, skipTo: new Date('2026-03-07T13:20:00Z') });
  expect(await listTicks(context.db, { after: START, upTo: later(1) })).toEqual([]);
  expect(await countCandles(context.db)).toMatchObject({ 60: 2 * (3 * 1440 + 20), 900: quarters + 8 });
});

test('an absurd price is refused and logged, and appears in no tick, candle or mark', async () => {
  const candles = makeCandles('btc', FROM, TO, 60);
  const spike = candles.findIndex((candle) => candle.atMs === START.getTime() + 60_000);
  const { atMs, low } = candles[spike] as FeedCandle;
  const wrong = Math.round(low / 3);
  candles[spike] = { ...(candles[spike] as FeedCandle), low: wrong };
  folder = writeRecording({ btc: candles.map(toLine) });
  const lines: string[] = [];
  const context = { ...(await begin()), log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }) };
  await advanceMarket(context, { elapsedMs: 2000 });

  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'price refused', symbol: 'btc', price: wrong, refusal: 'absurd' }),
  ]);
  const ticks = await listTicks(context.db, { after: START, upTo: later(2) });
  expect(ticks).toHaveLength(7);
  const { rows } = await sql<{ low: string }>`
    select low::text from market.candle
    where asset_id = 1 and step_seconds = 60 and at = ${new Date(atMs)}`.execute(context.db);
  expect(Number(rows[0]?.low)).toBeGreaterThan(wrong * 2);
});
