import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { executeBatch } from '#test/worlds/executed-batches.ts';
import { addTeam } from '#test/worlds/settled-session.ts';
import { payDue } from '../periods/pay-due.ts';
import { dollars, even, moveClock, periodWorlds } from '../periods/period-world.test-setup.ts';
import { readBonusBooks, settleUnshared, shareDay } from './bonus-world.test-setup.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = closeAfterAll(periodWorlds());

const up = (memberId: bigint, amount: number) => ({ memberId, micros: dollars(amount), trend: 'up' }) as const;

/** A session that leaves the 30-day window with the second one, another with new traders, and a week in between. */
const days = {
  '2026-02-01': [even(2n, 11), up(1024n, 22)],
  '2026-03-03': [up(1024n, 12.345678), even(1025n, 10), even(1026n, 33.333333)],
  '2026-03-04': [even(2n, 10), up(1026n, 17)],
};

async function openWorld(): Promise<Context> {
  const context = await worlds.open('2026-02-01');
  await addTeam(context, [1n]);
  // Sponsors in both halves of a level: each half is summed in its own transaction.
  await sql`select setval(pg_get_serial_sequence('identity.member', 'id'), 1023)`.execute(context.db);
  await addTeam(context, [2n, 2n, 1024n]);
  // One that trade fees cover, and one that takes all fees.
  await executeBatch(context, '2026-03-03', -12_345n);
  await executeBatch(context, '2026-03-04', -9_000_000n);
  return context;
}

test('killed at its first query, then at its second, and so on until it finishes, and restarted each time: the same ledger', async () => {
  const punctual = await openWorld();
  for (const [day, trades] of Object.entries(days)) await shareDay(punctual, day, trades);
  await moveClock(punctual, '2026-03-10T00:00:00Z');
  await payDue(punctual);
  const undisturbed = await readBonusBooks(punctual);
  expect(undisturbed.runs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(undisturbed.runs.map(({ trade_cost }) => trade_cost)).toEqual([0n, 12_345n, 108_000n]);
  expect(undisturbed.messages).toHaveLength(2);
  expect(undisturbed.transfers.length).toBeGreaterThan(12);

  const context = await openWorld();
  await settleUnshared(context, days);
  await moveClock(context, '2026-03-10T00:00:00Z');
  expect(await killAtEveryQuery(context, payDue)).toBeGreaterThan(30);
  expect(await readBonusBooks(context)).toEqual(undisturbed);
  await payDue(context);
  expect(await readBonusBooks(context)).toEqual(undisturbed);
  expect(await verifyLedger(context.db)).toEqual([]);
  for (const day of Object.keys(days)) {
    const replay = await replayBonuses(context, day);
    expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
  }
});
