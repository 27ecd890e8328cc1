import { expect, test, vi } from 'vitest';
import { forgetKey, pendingKey } from './pending-keys.ts';

const trade = ['POST', '/trading/do-trade', '{"amount":250}'] as const;

test('a request has the same key until it is answered', () => {
  const first = pendingKey(...trade);
  expect(pendingKey(...trade)).toEqual(first);
  expect(pendingKey('POST', '/trading/do-trade', '{"amount":251}').key).not.toBe(first.key);
  forgetKey(first);
  expect(pendingKey(...trade).key).not.toBe(first.key);
});

test('a reload keeps the keys of requests without a response, except of one with a password', async () => {
  const { key } = pendingKey(...trade);
  pendingKey('POST', '/auth/register', '{"password":"gale force nine"}');
  expect(sessionStorage.getItem('pending-keys')).not.toContain('gale');
  vi.resetModules();
  const reloaded = await import('./pending-keys.ts');
  expect(reloaded.pendingKey(...trade).key).toBe(key);
});

test('a reload brings back neither the key of an answered request nor one of attached files', async () => {
  const files = ['POST', '/support/reply', 'x'.repeat(20_000)] as const;
  const [sent, large] = [pendingKey(...trade), pendingKey(...files)];
  forgetKey(sent);
  vi.resetModules();
  const reloaded = await import('./pending-keys.ts');
  expect(reloaded.pendingKey(...trade).key).not.toBe(sent.key);
  expect(reloaded.pendingKey(...files).key).not.toBe(large.key);
});

test.each([['{'], ['7'], ['{}']])('what a tab kept in another form counts as nothing: %s', async (kept) => {
  sessionStorage.setItem('pending-keys', kept);
  vi.resetModules();
  const { key } = (await import('./pending-keys.ts')).pendingKey(...trade);
  expect(key).toHaveLength(43);
});

test('an hour after it was last sent the same request is a new one, or its reply would be that of the first', () => {
  vi.useFakeTimers();
  const [first, second, third, fourth] = [0, 59, 59, 60].map((minutes) => {
    vi.advanceTimersByTime(minutes * 60_000);
    return pendingKey('POST', '/trading/do-trade', '{"amount":252}').key;
  });
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
});
