import { expect, test } from 'vitest';
import { settledMessage } from '../session/book-session.ts';

test.each([
  [1, 21_510_000n, 'Session of 4 Mar 2026 settled: 1 trade, P&L +$21.51.'],
  [2, -1_250_000n, 'Session of 4 Mar 2026 settled: 2 trades, P&L −$1.25.'],
  [3, 0n, 'Session of 4 Mar 2026 settled: 3 trades, P&L $0.00.'],
  [1200, 1_234_567_890n, 'Session of 4 Mar 2026 settled: 1,200 trades, P&L +$1,234.5679.'],
  [1, 49n, 'Session of 4 Mar 2026 settled: 1 trade, P&L $0.00.'],
])('%i trades with a result of %s micros', (trades, result, message) => {
  expect(settledMessage({ day: '2026-03-04', trades, result })).toBe(message);
});
