import { afterEach, beforeEach, expect, vi } from 'vitest';

/** Unexpected console output fails the test, since nobody reads warnings of passing tests. */
const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => ({
  level,
  spy: vi.spyOn(console, level),
}));

beforeEach(() => {
  for (const { spy } of spies) spy.mockClear();
});

afterEach(() => {
  for (const { level, spy } of spies) expect(spy.mock.calls, `unexpected console.${level}`).toEqual([]);
});
