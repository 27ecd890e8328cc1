import { expect, test } from 'vitest';
import { CallerCache } from './caller-cache.ts';

const at = (ms: number) => new Date(1_700_000_000_000 + ms);
const token = (text: string | number) => Buffer.from(String(text));
const later = at(3_600_000);

const keep = (cache: CallerCache<string>, name: string | number, ms = 0, endsAt = later) =>
  cache.store(token(name), `caller of ${name}`, { now: at(ms), endsAt, endingsBefore: cache.endings });

test('a caller is cached for less than a second', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'a');
  expect(cache.find(token('a'), at(0))?.value).toBe('caller of a');
  expect(cache.find(token('a'), at(999))?.value).toBe('caller of a');
  expect(cache.find(token('a'), at(1000))).toBeUndefined();
  expect(cache.find(token('b'), at(0))).toBeUndefined();
});

test('it is to be refreshed from half of that second on', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'a');
  expect(cache.find(token('a'), at(499))?.isAging).toBe(false);
  expect(cache.find(token('a'), at(500))?.isAging).toBe(true);
});

test('a clock that is set back does not extend it', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'a', 5000);
  expect(cache.find(token('a'), at(4000))).toBeUndefined();
});

test('a sign-in is not cached beyond its own end', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'a', 0, at(300));
  expect(cache.find(token('a'), at(299))?.value).toBe('caller of a');
  expect(cache.find(token('a'), at(300))).toBeUndefined();
});

test('an ended sign-in is evicted at once, the others stay', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'a');
  keep(cache, 'b');
  cache.evict([token('a')]);
  expect(cache.find(token('a'), at(1))).toBeUndefined();
  expect(cache.find(token('b'), at(1))?.value).toBe('caller of b');
});

test('a caller read while any sign-in ended is not cached: it may be that one', () => {
  const cache = new CallerCache<string>();
  const endingsBefore = cache.endings;
  cache.evict([token('a')]);
  cache.store(token('a'), 'caller of a', { now: at(0), endsAt: later, endingsBefore });
  expect(cache.find(token('a'), at(0))).toBeUndefined();
});

test('it holds 2000 and evicts the oldest first', () => {
  const cache = new CallerCache<string>();
  for (let name = 0; name < 2000; name += 1) keep(cache, name);
  keep(cache, 0);
  keep(cache, 'one more');
  expect(cache.find(token(0), at(0))?.value).toBe('caller of 0');
  expect(cache.find(token(1), at(0))).toBeUndefined();
  expect(cache.find(token(2), at(0))?.value).toBe('caller of 2');
  expect(cache.find(token('one more'), at(0))?.value).toBe('caller of one more');
});

test('expired entries make room for new ones, however few there are', () => {
  const cache = new CallerCache<string>();
  keep(cache, 'old', 0);
  keep(cache, 'newer', 999);
  keep(cache, 'newest', 1000);
  // At this age it would be found, if it were still held.
  expect(cache.find(token('old'), at(999))).toBeUndefined();
  expect(cache.find(token('newer'), at(1000))?.value).toBe('caller of newer');
});
