import { expect, test } from 'vitest';
import { runWorkers } from './tx.ts';

/** Finds 1 to `count`, and fails when called concurrently. */
function countTo(count: number) {
  let asked = 0;
  return async (last: number | undefined) => {
    asked += 1;
    expect(asked).toBe(1);
    await Promise.resolve();
    asked -= 1;
    const next = (last ?? 0) + 1;
    return next <= count ? next : undefined;
  };
}

test.each([0, 1, 2, 7])('of %s chunks each is processed once, started in order', async (count) => {
  const begun: number[] = [];
  await runWorkers(countTo(count), async (chunk) => {
    begun.push(chunk);
    await Promise.resolve();
  });
  expect(begun).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});

test('three chunks run concurrently, and a free worker takes the next while others are still busy', async () => {
  const release = new Map<number, () => void>();
  const done: number[] = [];
  const working = runWorkers(countTo(4), async (chunk) => {
    await new Promise<void>((resolve) => release.set(chunk, resolve));
    done.push(chunk);
  });
  await expect.poll(() => [...release.keys()]).toEqual([1, 2, 3]);
  release.get(2)?.();
  await expect.poll(() => [...release.keys()]).toEqual([1, 2, 3, 4]);
  expect(done).toEqual([2]);
  for (const chunk of [1, 3, 4]) release.get(chunk)?.();
  await working;
  expect(done.toSorted()).toEqual([1, 2, 3, 4]);
});

test('after a fault no chunk is started, and it is thrown when the others have stopped', async () => {
  const begun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const done: number[] = [];
  let hasEnded = false;
  const working = runWorkers(countTo(9), async (chunk) => {
    if (chunk === 1) {
      await begun.promise;
      throw new Error('broken');
    }
    begun.resolve();
    await mayEnd.promise;
    done.push(chunk);
  }).finally(() => {
    hasEnded = true;
  });
  const outcome = expect(working).rejects.toThrow('broken');
  await begun.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect([hasEnded, done]).toEqual([false, []]);
  mayEnd.resolve();
  await outcome;
  expect(done).toEqual([2]);
});

test('a fault in finding chunks stops all workers', async () => {
  const done: number[] = [];
  const find = async (last: number | undefined) => {
    if (last === 2) throw new Error('nothing to be found');
    return (last ?? 0) + 1;
  };
  const working = runWorkers(find, async (chunk) => {
    done.push(chunk);
  });
  await expect(working).rejects.toThrow('nothing to be found');
  expect(done).toEqual([1, 2]);
});
