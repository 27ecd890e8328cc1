import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NoTurn, Turns, takingTurns, type Work } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reads = (caller: string): Work => ({ caller, writes: false });
const writes = (caller: string): Work => ({ caller, writes: true });
const open = () => new Turns({ connections: 10, waitMs: 1000 });

/** Takes turns for all of them. @returns who has one, in order, and the ends of their turns */
async function takeAll(turns: Turns, works: readonly Work[]) {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const refused: unknown[] = [];
  for (const work of works) {
    turns.take(work).then(
      (end) => {
        begun.push(work.caller);
        ends.push(end as () => void);
      },
      (error: unknown) => refused.push(error),
    );
  }
  await settle();
  return { ends, begun, refused };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

test('forty requests of one caller have four of ten connections, and others go on', async () => {
  const turns = open();
  const mine = await takeAll(
    turns,
    Array.from({ length: 40 }, () => writes('mine')),
  );
  expect(mine.begun).toHaveLength(4);
  expect((await takeAll(turns, [writes('a'), writes('b'), reads('c'), reads('d')])).begun).toEqual([
    'a',
    'b',
    'c',
    'd',
  ]);
});

test('all that write have six of ten together, however many callers they are; who reads goes on', async () => {
  const turns = open();
  const many = Array.from({ length: 20 }, (_, index) => writes(`${index}`));
  expect((await takeAll(turns, many)).begun).toHaveLength(6);
  expect((await takeAll(turns, [reads('a'), reads('b')])).begun).toEqual(['a', 'b']);
});

test('two of ten connections are left for what takes no turn, as checks of a sign-in', async () => {
  const turns = open();
  const many = Array.from({ length: 20 }, (_, index) => reads(`${index}`));
  expect((await takeAll(turns, many)).begun).toHaveLength(8);
  expect(await turns.take()).toBeUndefined();
});

test('a turn that ends is the next one, in the order they came', async () => {
  const turns = open();
  const first = await takeAll(
    turns,
    Array.from({ length: 4 }, () => writes('mine')),
  );
  const later = await takeAll(turns, [writes('mine'), writes('mine')]);
  expect(later.begun).toEqual([]);
  first.ends[0]?.();
  await settle();
  expect(later.begun).toEqual(['mine']);
  for (const end of [...first.ends.slice(1), ...later.ends]) end();
  await settle();
  expect(later.begun).toEqual(['mine', 'mine']);
});

test('who waits longer than the limit is told so, and is not in the way of the next', async () => {
  const turns = open();
  const first = await takeAll(
    turns,
    Array.from({ length: 4 }, () => writes('mine')),
  );
  const late = await takeAll(turns, [writes('mine')]);
  await vi.advanceTimersByTimeAsync(1001);
  expect(late.refused).toEqual([expect.any(NoTurn)]);
  for (const end of first.ends) end();
  expect(
    (
      await takeAll(
        turns,
        Array.from({ length: 5 }, () => writes('mine')),
      )
    ).begun,
  ).toHaveLength(4);
});

test('what is done for a request takes its turn, however deep', async () => {
  const turns = open();
  await takeAll(
    turns,
    Array.from({ length: 4 }, () => writes('mine')),
  );
  const asked = takingTurns(writes('mine'), async () => turns.take());
  const refused = expect(asked).rejects.toBeInstanceOf(NoTurn);
  await vi.advanceTimersByTimeAsync(1001);
  await refused;
});
