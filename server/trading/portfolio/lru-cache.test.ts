import { expect, test } from 'vitest';
import type { Db } from '#server/db/connect.ts';
import { LruCache } from './lru-cache.ts';

const [one, other] = [{} as Db, {} as Db];

test('a value is found again, for its own database alone', () => {
  const cache = new LruCache<string, number>(2);
  cache.set(one, 'a', 1);
  expect([cache.get(one, 'a'), cache.get(other, 'a'), cache.get(one, 'b')]).toEqual([1, undefined, undefined]);
});

test('the least recently used makes room, whether it was used by reading or by writing', () => {
  const cache = new LruCache<string, number>(2);
  cache.set(one, 'a', 1);
  cache.set(one, 'b', 2);
  cache.get(one, 'a');
  cache.set(one, 'c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(one, key))).toEqual([1, undefined, 3]);
});
