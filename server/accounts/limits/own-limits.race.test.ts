import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { address, openWorld } from '../accounts-world.test-setup.ts';
import type { LimitChange } from '../core/own-limits.ts';
import { findOwnLimits, lockOwnLimits } from '../index.ts';
import { setOwnLimits } from './set-own-limits.ts';

const ROUNDS = 10;
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;

const world = closeAfterAll(await openWorld());

const set = (memberId: bigint, change: LimitChange) =>
  setOwnLimits(world.context, { memberId }, { ...change, address });
const find = (memberId: bigint) => findOwnLimits(world.context.db, memberId, world.clock.now());

test.each<[string, LimitChange]>([
  ['first changes', {}],
  ['changes of existing limits', { depositWeekMicros: usd(5000), lossDayMicros: usd(5000) }],
])('two concurrent %s are made one after the other, each as a whole', async (_what, before) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { memberId } = await world.signUp();
    await set(memberId, before);
    const small = { depositWeekMicros: usd(100), lossDayMicros: usd(10) };
    const large = { depositWeekMicros: usd(900), lossDayMicros: usd(90) };
    const replies = await Promise.all([set(memberId, small), set(memberId, large)]);
    // Whichever came last, the stricter one is in force; the other is pending only if it was requested last.
    expect(await find(memberId)).toEqual({ ...small, pausedUntil: null });
    const waiting = replies.filter(({ depositWeek }) => depositWeek.next !== null);
    for (const { depositWeek, lossDay } of waiting) {
      expect(depositWeek).toMatchObject({ micros: usd(100), next: { micros: usd(900) } });
      expect(lossDay).toMatchObject({ micros: usd(10), next: { micros: usd(90) } });
    }
  }
});

test('of concurrent pauses the longest stands, and none is shortened', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { memberId } = await world.signUp();
    const { refused } = await atOnce([5, 30, 90, 60, 1].map((pauseDays) => set(memberId, { pauseDays })));
    expect(refused.filter((code) => code !== 'pause_shortened')).toEqual([]);
    expect((await find(memberId)).pausedUntil).toEqual(new Date(world.clock.now().getTime() + 90 * 24 * 3_600_000));
  }
});

test('a change waits for a transaction that checks the limit', async () => {
  const { memberId } = await world.signUp();
  await set(memberId, { depositWeekMicros: usd(100) });
  const order: string[] = [];
  let change: Promise<unknown> = Promise.resolve();
  await inTransaction(world.context.db, async (tx) => {
    await lockOwnLimits(tx, memberId, world.clock.now());
    change = set(memberId, { depositWeekMicros: usd(50) }).then(() => order.push('changed'));
    // Round trips to the database on other connections: time enough for a change that would not wait.
    for (let trip = 0; trip < 20; trip += 1) expect((await find(memberId)).depositWeekMicros).toBe(usd(100));
    order.push('counted');
  });
  await change;
  expect(order).toEqual(['counted', 'changed']);
  expect((await find(memberId)).depositWeekMicros).toBe(usd(50));
});

test('a raised limit waits 24 hours from when its change is made, however long that waited for another', async () => {
  const { memberId } = await world.signUp();
  await set(memberId, { depositWeekMicros: usd(100) });
  const { context, clock } = world;
  const release = await holdOpen(context.db, (tx) => lockOwnLimits(tx, memberId, clock.now()));
  const change = set(memberId, { depositWeekMicros: usd(500) });
  await waitFor(async () => (await countLockWaits(context.db)) === 1, 'the change waits');
  clock.advance(3600);
  await release();
  const at = new Date(clock.now().getTime() + 24 * 3_600_000);
  expect((await change).depositWeek.next).toEqual({ micros: usd(500), at });
});
