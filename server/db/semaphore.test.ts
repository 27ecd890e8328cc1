import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AcquireTimeout, PoolSemaphore, type Work, withPoolShare } from './semaphore.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const reads = (caller: string): Work => ({ caller, writes: false });
const writes = (caller: string): Work => ({ caller, writes: true });
const times = (count: number, work: Work) => Array.from({ length: count }, () => work);
const open = () => new PoolSemaphore({ connections: 10, waitMs: 1000 });

/** Acquires for all of them. @returns who acquired, in order, and their release functions */
async function acquireAll(semaphore: PoolSemaphore, works: readonly Work[]) {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const refused: unknown[] = [];
  for (const work of works) {
    semaphore.acquire(work).then(
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

test('forty requests of one caller use four of ten connections, and others proceed', async () => {
  const semaphore = open();
  const mine = await acquireAll(semaphore, times(40, writes('mine')));
  expect(mine.begun).toHaveLength(4);
  const others = await acquireAll(semaphore, [writes('a'), writes('b'), reads('c'), reads('d')]);
  expect(others.begun).toEqual(['a', 'b', 'c', 'd']);
});

test('all writers together use six of ten, whatever the number of callers; readers proceed', async () => {
  const semaphore = open();
  const many = Array.from({ length: 20 }, (_, index) => writes(`${index}`));
  expect((await acquireAll(semaphore, many)).begun).toHaveLength(6);
  expect((await acquireAll(semaphore, [reads('a'), reads('b')])).begun).toEqual(['a', 'b']);
});

test('two of ten connections are left for callers that acquire none here, such as checks of a sign-in', async () => {
  const semaphore = open();
  const many = Array.from({ length: 20 }, (_, index) => reads(`${index}`));
  expect((await acquireAll(semaphore, many)).begun).toHaveLength(8);
  expect(await semaphore.acquire()).toBeUndefined();
});

test('a released connection goes to the next in the queue', async () => {
  const semaphore = open();
  const first = await acquireAll(semaphore, times(4, writes('mine')));
  const later = await acquireAll(semaphore, [writes('mine'), writes('mine')]);
  expect(later.begun).toEqual([]);
  first.ends[0]?.();
  await settle();
  expect(later.begun).toEqual(['mine']);
  for (const end of [...first.ends.slice(1), ...later.ends]) end();
  await settle();
  expect(later.begun).toEqual(['mine', 'mine']);
});

test('a caller that waits beyond the limit is refused, and does not block the next', async () => {
  const semaphore = open();
  const first = await acquireAll(semaphore, times(4, writes('mine')));
  const late = await acquireAll(semaphore, [writes('mine')]);
  await vi.advanceTimersByTimeAsync(1001);
  expect(late.refused).toEqual([expect.any(AcquireTimeout)]);
  for (const end of first.ends) end();
  expect((await acquireAll(semaphore, times(5, writes('mine')))).begun).toHaveLength(4);
});

test('work on behalf of a request waits for its share, however deeply nested', async () => {
  const semaphore = open();
  await acquireAll(semaphore, times(4, writes('mine')));
  const asked = withPoolShare(writes('mine'), async () => semaphore.acquire());
  const refused = expect(asked).rejects.toBeInstanceOf(AcquireTimeout);
  await vi.advanceTimersByTimeAsync(1001);
  await refused;
});
