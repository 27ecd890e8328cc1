import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { executeBatch } from '#test/worlds/executed-batches.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { payDue } from '../periods/pay-due.ts';
import { dollars, even, moveClock, periodWorlds } from '../periods/period-world.test-setup.ts';
import { readBonusBooks, settleUnshared } from './bonus-world.test-setup.ts';
import { replayBonuses, replaySession } from './replay-session.ts';
import { claimReplay } from './rerun.ts';

const worlds = closeAfterAll(periodWorlds());

/** Sixty members in six batches, three directs per sponsor, and two sessions not yet distributed. */
async function openWorld(): Promise<Context> {
  const context = await worlds.open('2026-03-02');
  const members: bigint[] = [];
  for (let n = 0; n < 60; n += 1) {
    if (n % 10 === 9)
      await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), ${BigInt(5000 * (n + 1))}::bigint)`.execute(
        context.db,
      );
    members.push(...(await addTeam(context, [members[Math.floor((n - 1) / 3)] ?? 1n])));
  }
  const trades = members.map((memberId, n) => ({
    memberId,
    micros: dollars(10) + BigInt(n) * 1_234_567n,
    trend: n % 3 === 0 ? ('up' as const) : ('even' as const),
  }));
  await executeBatch(context, '2026-03-03', -500_001n);
  await executeBatch(context, '2026-03-04', -7n);
  await settleUnshared(context, { '2026-03-03': trades, '2026-03-04': [...trades.slice(20), even(2n, 5)] });
  await moveClock(context, '2026-03-09T00:00:00Z');
  return context;
}

test('four concurrent workers give the same result as one, and nobody is paid or notified twice', async () => {
  const alone = await openWorld();
  await payDue(alone);
  const expected = await readBonusBooks(alone);
  expect(expected.blocks.length).toBeGreaterThan(10);
  expect(expected.runs.map(({ state }) => state)).toEqual(['done', 'done']);
  for (const day of ['2026-03-03', '2026-03-04']) {
    const replay = await replayBonuses(alone, day);
    expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
  }
  for (let round = 0; round < 3; round += 1) {
    const together = await openWorld();
    await Promise.all([1, 2, 3, 4].map(() => payDue(together)));
    expect(await readBonusBooks(together)).toEqual(expected);
    expect(await verifyLedger(together.db)).toEqual([]);
  }
}, 180_000);

/**
 * Enough traders, two per sponsor, for two connections to sum the first level above them in alternating ranges of 1024
 * ids.
 */
async function openLarge(): Promise<Context> {
  const context = await worlds.open('2026-03-02');
  const members = await addTeam(
    context,
    Array.from({ length: 4200 }, (_, n) => BigInt(1 + Math.floor(n / 2))),
  );
  await settleUnshared(context, {
    '2026-03-03': members.map((memberId, n) => ({ memberId, micros: dollars(10) + BigInt(n) * 4_567n })),
  });
  await moveClock(context, '2026-03-03T18:00:00Z');
  return context;
}

test('a level summed in halves gives the same result with concurrent workers', async () => {
  const together = await openLarge();
  await Promise.all([1, 2, 3].map(() => payDue(together)));
  const { runs } = await readBonusBooks(together);
  expect(runs.map(({ state }) => state)).toEqual(['done']);
  // A replay sums up a level as a whole.
  const replay = await replayBonuses(together, '2026-03-03');
  expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
}, 180_000);

test('a backup that holds the working table keeps no session waiting', async () => {
  const alone = await openWorld();
  await payDue(alone);
  const held = await openWorld();
  await inTransaction(held.db, async (tx) => {
    await sql`lock table income.level_sum in access share mode`.execute(tx);
    await payDue(held);
  });
  expect(await readBonusBooks(held)).toEqual(await readBonusBooks(alone));
});

test('one session is worked out again at a time, and only one that was booked', async () => {
  const context = await worlds.open('2026-03-02');
  const replay = () => replaySession(context, '2026-03-03');
  await inTransaction(context.db, async (tx) => {
    expect(await claimReplay(tx)).toBe(true);
    await expect(replay()).rejects.toMatchObject({ code: 'rerun_under_way' });
  });
  await expect(replay()).rejects.toMatchObject({ code: 'session_not_settled' });
});
