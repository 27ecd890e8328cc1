import { expect, test } from 'vitest';
import { settledMessage } from '../session/book-session.ts';

test.each([
  [1, 21_510_000n, 'Session of 2026-03-04 settled: 1 trade, result +21.51 $.'],
  [2, -1_250_000n, 'Session of 2026-03-04 settled: 2 trades, result −1.25 $.'],
  [3, 0n, 'Session of 2026-03-04 settled: 3 trades, result 0.00 $.'],
  [3, 7_000_000n, 'Session of 2026-03-04 settled: 3 trades, result +7.00 $.'],
  [3, 1_234_567n, 'Session of 2026-03-04 settled: 3 trades, result +1.2346 $.'],
  [3, 1_200_500n, 'Session of 2026-03-04 settled: 3 trades, result +1.2005 $.'],
  [3, -49n, 'Session of 2026-03-04 settled: 3 trades, result 0.00 $.'],
  [3, -50n, 'Session of 2026-03-04 settled: 3 trades, result −0.0001 $.'],
])('%i trades with a result of %s micros', (trades, result, message) => {
  expect(settledMessage({ day: '2026-03-04', trades, result })).toBe(message);
});
