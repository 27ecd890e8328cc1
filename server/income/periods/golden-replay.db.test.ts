import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { addTeam, type SettledTrade, settleSession } from '#test/worlds/settled-session.ts';
import { closeMemberIncomes } from '../close-member.ts';
import { explainMonth, explainWeek } from './explain-period.ts';
import { listMonthly, listWeekly } from './list-periods.ts';
import { payDue } from './pay-due.ts';
import { dollars, moveClock, periodWorlds, read, readPeriodBooks, writePlan } from './period-world.test-setup.ts';

/**
 * Replays three recorded months of a fixed world: every line, digest and hash must be the recorded one. A difference
 * means that replays of past runs would change; a rule that changes for the future must come with a fee plan or a start
 * date.
 */
const recorded = JSON.parse(readFileSync(new URL('./golden-replay.json', import.meta.url), 'utf8'));

const worlds = closeAfterAll(periodWorlds());

/** Seeded random numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 120 members in three batches of ids: a chain of a dozen, and the others below any of the first thirty. */
async function addForest(context: Context, random: () => number): Promise<bigint[]> {
  const ids = [1n];
  for (const startsAt of [2, 4100, 8300]) {
    await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), ${startsAt}, false)`.execute(context.db);
    for (let n = 0; n < 40; n += 1) {
      const sponsor = ids.length <= 12 ? ids.length - 1 : 2 + Math.floor(random() * Math.min(ids.length - 2, 30));
      ids.push(...(await addTeam(context, [ids[sponsor] as bigint])));
    }
  }
  return ids.slice(1);
}

const courses = ['up', 'down', 'even'] as const;

/**
 * A quarter of all, with amounts from a dollar to thirty thousand; some stop in March and are no longer active in May.
 */
const tradesOf = (day: string, members: readonly bigint[], random: () => number): SettledTrade[] =>
  members.flatMap((memberId) => {
    const [isIn, size, trend] = [random(), random(), random()];
    const micros = dollars(Number((10 ** (4.5 * size)).toFixed(6)));
    const hasStopped = memberId % 7n === 0n && day > '2026-03-20';
    return isIn < 0.25 && !hasStopped ? [{ memberId, micros, trend: courses[Math.floor(trend * 3)] }] : [];
  });

const days = Array.from({ length: 28 }, (_, n) =>
  new Date(Date.UTC(2026, 2, 3) + 3 * n * 86_400_000).toISOString().slice(0, 10),
);

/** Ranks that pay the whole contribution of their volume: with several in one chain of sponsors the pool is short. */
const wideRanks = [5_000, 20_000, 80_000, 160_000, 320_000].map((volume) => ({ volume, monthly: 10_000, reward: 5 }));

/** An alarm that holds what weeks and months pay. */
const holding = { mayPayPeriod: async () => false, reportFault: (why: string) => Promise.reject(new Error(why)) };

async function playSpring(): Promise<Context> {
  const context = await worlds.open('2026-03-02');
  const random = randomOf(20_260_302);
  const members = await addForest(context, random);
  let planId = 1;
  for (const day of days) {
    if (day === '2026-03-21') planId = await writePlan(context, { ranks: wideRanks, leg_cap_bps: 10_000 });
    if (day === '2026-04-08')
      planId = await writePlan(context, { weekly_min_directs: 1, weekly_cap_bps: 2500, monthly_bps: 100 });
    if (day === '2026-05-05') planId = await writePlan(context, { leg_cap_bps: 4000, weekly_bps: 700 });
    // By then nothing is held and no run is in progress.
    if (day === '2026-04-20')
      for (const id of [3n, 7n]) await inTransaction(context.db, (tx) => closeMemberIncomes(tx, id));
    const guard = day > '2026-05-06' && day < '2026-05-20' ? holding : undefined;
    await moveClock(context, `${day}T12:20:00Z`);
    await payDue(context, guard);
    await settleSession(context, day, tradesOf(day, members, random), planId);
    await moveClock(context, `${day}T17:30:00Z`);
    await payDue(context, guard);
  }
  await moveClock(context, '2026-06-01T00:00:00Z');
  await payDue(context);
  return context;
}

/** Fields that only rule 2 introduced, which do not apply to these periods. */
const isLater = (name: string, part: unknown): boolean =>
  (name === 'contributed' && part === null) || (name === 'counted_once' && part === false);

const stringify = (value: unknown): string =>
  JSON.stringify(value, (name, part) =>
    isLater(name, part) ? undefined : typeof part === 'bigint' ? part.toString() : part,
  );

/** Number of rows, and their hash. */
const digestOf = (rows: readonly unknown[]): string =>
  `${rows.length} ${createHash('sha256').update(stringify(rows)).digest('hex')}`;

const digestsOf = (parts: Record<string, readonly unknown[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([name, rows]) => [name, digestOf(rows)]));

/** Excludes ids and real times of the ledger. */
const timeless = <T extends { transfers: readonly object[] }>(explained: T) => ({
  ...explained,
  transfers: explained.transfers.map((transfer) => ({ ...transfer, id: null, created_at: null })),
});

describe('three recorded months, paid again', () => {
  let context: Context;
  let books: Awaited<ReturnType<typeof readPeriodBooks>>;
  beforeAll(async () => {
    context = await playSpring();
    books = await readPeriodBooks(context);
  });

  test('each run has the same inputs and the same outputs', () => {
    expect(JSON.parse(stringify(books.runs))).toEqual(recorded.runs);
  });

  test('each block, line, leg, transfer and message is the same', async () => {
    const times = await read(
      context,
      sql`select kind, starts_on::text, ran_at, paid_at from income.period_run order by 1, 2`,
    );
    expect(digestsOf({ ...books, times })).toEqual(recorded.parts);
    expect(await verifyLedger(context.db)).toEqual([]);
  });

  test('members read the same of them', async () => {
    const replies: Record<string, unknown[]> = { weeks: [], months: [], week: [], month: [] };
    for (const id of [2n, 3n, 4n, 9n, 4101n, 8310n]) {
      const weeks = await listWeekly(context, id, { limit: 5 });
      const months = await listMonthly(context, id, { limit: 2 });
      // The caps of the present are newer than the recording.
      replies.weeks?.push({ ...weeks, current: { ...weeks.current, cap: undefined } });
      replies.months?.push({ ...months, current: { ...months.current, leg_cap: undefined } });
      for (const item of weeks.items) replies.week?.push(timeless(await explainWeek(context, id, item.id)));
      for (const item of months.items) replies.month?.push(timeless(await explainMonth(context, id, item.id)));
    }
    expect(digestsOf(replies)).toEqual(recorded.replies);
  });
});
