import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BatchLoader } from './batch-loader.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A database that answers on demand, always the oldest unanswered query. It has no odd keys. */
function openLoader() {
  const asked: string[] = [];
  const open: ((what: Error | string) => void)[] = [];
  const loader = new BatchLoader<string>(
    'test',
    (keys) => {
      asked.push(keys.join(' '));
      return new Promise((resolve, reject) => {
        open.push((what) => {
          const found = keys.filter((key) => key % 2n === 0n);
          if (typeof what === 'string') resolve(new Map(found.map((key) => [key, `${key} ${what}`])));
          else reject(what);
        });
      });
    },
    50,
  );
  const answer = async (what: Error | string) => {
    open.shift()?.(what);
    await turn();
  };
  return { asked, get: (key: number) => loader.get(BigInt(key)), answer };
}

test('a single caller is sent in the same tick, and later ones are batched together', async () => {
  const { asked, get, answer } = openLoader();
  const first = get(2);
  await turn();
  expect(asked).toEqual(['2']);
  const others = [get(4), get(6)];
  await turn();
  others.push(get(8));
  await turn();
  expect(asked).toEqual(['2']);
  await answer('now');
  expect(await first).toBe('2 now');
  expect(asked).toEqual(['2', '4 6 8']);
  await answer('now');
  expect(await Promise.all(others)).toEqual(['4 now', '6 now', '8 now']);
  void get(10);
  await turn();
  expect(asked.at(-1)).toBe('10');
});

test('callers of one tick are batched, and each has its own result or none', async () => {
  const { asked, get, answer } = openLoader();
  const all = [get(2), get(3), get(4), get(2)];
  await turn();
  expect(asked).toEqual(['2 3 4 2']);
  await answer('now');
  expect(await Promise.all(all)).toEqual(['2 now', undefined, '4 now', '2 now']);
});

test('a statement sent before a call never answers it, even for the same key', async () => {
  const { get, answer } = openLoader();
  const before = get(2);
  await turn();
  const after = get(2);
  await answer('old');
  await answer('new');
  expect(await Promise.all([before, after])).toEqual(['2 old', '2 new']);
});

test('a fault affects its batch alone, and callers queued behind it are served', async () => {
  const { asked, get, answer } = openLoader();
  const fault = new Error('gone');
  const batch = expect(Promise.allSettled([get(2), get(4)])).resolves.toEqual([
    { status: 'rejected', reason: fault },
    { status: 'rejected', reason: fault },
  ]);
  await turn();
  const behind = get(6);
  await turn();
  await answer(fault);
  await batch;
  expect(asked).toEqual(['2 4', '6']);
  await answer('now');
  expect(await behind).toBe('6 now');
});

test('a statement without an answer delays the next batch only briefly, and its late answer still counts', async () => {
  const { asked, get, answer } = openLoader();
  const stalled = get(2);
  await turn();
  const next = [get(4), get(6)];
  await turn();
  await vi.advanceTimersByTimeAsync(49);
  expect(asked).toEqual(['2']);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['2', '4 6']);
  // The late answer of the first starts nothing next to the second.
  const last = get(8);
  await turn();
  await answer('late');
  expect(await stalled).toBe('2 late');
  expect(asked).toEqual(['2', '4 6']);
  await answer('now');
  expect(await Promise.all(next)).toEqual(['4 now', '6 now']);
  await answer('now');
  expect(await last).toBe('8 now');
});
