import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { addTeam } from '#test/settled-session.ts';
import { payDue } from '../periods/pay-due.ts';
import { dollars, even, killEverywhere, moveClock, periodWorlds } from '../periods/period-world.test-setup.ts';
import { readBonusBooks, settleUnshared, shareDay } from './bonus-world.test-setup.ts';
import { replayBonuses } from './replay-session.ts';

const worlds = periodWorlds();
afterAll(worlds.close);

const up = (memberId: bigint, amount: number) => ({ memberId, micros: dollars(amount), course: 'up' }) as const;

/** A session that leaves the 30 days with the second, one that gets others, and a week in between. */
const days = {
  '2026-02-01': [even(2n, 11), up(3n, 22)],
  '2026-03-03': [up(3n, 12.345678), even(4n, 10), even(5n, 33.333333)],
  '2026-03-04': [even(2n, 10), up(5n, 17)],
};

async function openWorld(): Promise<Context> {
  const context = await worlds.open('2026-02-01');
  await addTeam(context, [1n, 2n, 2n, 3n]);
  return context;
}

let undisturbed: Awaited<ReturnType<typeof readBonusBooks>>;
beforeAll(async () => {
  const context = await openWorld();
  for (const [day, trades] of Object.entries(days)) await shareDay(context, day, trades);
  await moveClock(context, '2026-03-10T00:00:00Z');
  await payDue(context);
  undisturbed = await readBonusBooks(context);
});

test('undisturbed, three sessions are done and members are told once each', () => {
  expect(undisturbed.runs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(undisturbed.messages).toHaveLength(4);
  expect(undisturbed.transfers.length).toBeGreaterThan(15);
});

test('killed at its first query, then at its second, and so on until it comes to the end: the same books', async () => {
  const context = await openWorld();
  await settleUnshared(context, days);
  await moveClock(context, '2026-03-10T00:00:00Z');
  expect(await killEverywhere(context, payDue)).toBeGreaterThan(30);
  expect(await readBonusBooks(context)).toEqual(undisturbed);
  expect(await verifyLedger(context.db)).toEqual([]);
  for (const day of Object.keys(days)) {
    const replay = await replayBonuses(context, day);
    expect([replay.replayedInputsHash, replay.replayedOutputsHash]).toEqual([replay.inputsHash, replay.outputsHash]);
  }
});

test('paying what is paid changes nothing', async () => {
  const context = await openWorld();
  await settleUnshared(context, days);
  await moveClock(context, '2026-03-10T00:00:00Z');
  await payDue(context);
  await payDue(context);
  expect(await readBonusBooks(context)).toEqual(undisturbed);
});
