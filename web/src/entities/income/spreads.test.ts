import { expect, test } from 'vitest';
import { atExchange } from '../../../test/render.tsx';
import { theSession } from '../../../test/trades.ts';
import { spreadNow, spreadText } from './spreads.ts';

const changing = { symbol: 'btc', spread_bps: 10, next_bps: 30 };

test.each([
  ['open', changing, 10],
  ['closed', changing, 30],
  ['settling', changing, 30],
  ['closed', { ...changing, next_bps: null }, 10],
  ['closed', { ...changing, next_bps: 0 }, 0],
] as const)('a trade placed while the session is %s has the spread it will execute at', (state, spread, bps) => {
  expect(spreadNow(spread, { ...theSession, state })).toBe(bps);
});

test('a trade placed in the last minutes at an exchange has the spread of the next opening', () => {
  atExchange();
  const closing = { ...theSession, state: 'open', market_time: '2026-03-04T17:25:00Z' } as const;
  expect(spreadNow(changing, closing)).toBe(30);
});

test('a spread is shown per side, and unknown is not zero', () => {
  expect(spreadText(25)).toBe('half of 0.25% when it buys and when it sells');
  expect(spreadText(0)).toBe('none');
  expect(spreadText(undefined)).toBe('–');
});
