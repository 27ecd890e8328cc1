import { expect, test } from 'vitest';
import type { Session } from '#contract/trading/trading.ts';
import { atExchange } from '../../../test/render.tsx';
import { theSession } from '../../../test/trades.ts';
import { isUnderWay, nextOpening, settlesWhen } from './session-labels.ts';

const session = (state: Session['state'], day: string, now = theSession.market_time): Session => ({
  ...theSession,
  state,
  opens_at: `${day}T12:30:00Z`,
  closes_at: `${day}T17:30:00Z`,
  market_time: now,
});

test.each([
  ['open', '2026-03-04', '2026-03-04T14:05:00Z', null, 'today, 17:30 UTC'],
  ['closed', '2026-03-04', '2026-03-04T12:20:00Z', 'today, 12:30 UTC', 'today, 17:30 UTC'],
  ['closed', '2026-03-05', '2026-03-04T20:00:00Z', 'tomorrow, 12:30 UTC', 'tomorrow, 17:30 UTC'],
  ['closed', '2026-03-09', '2026-03-04T20:00:00Z', '9 Mar, 12:30 UTC', '9 Mar, 17:30 UTC'],
  ['settling', '2026-03-04', '2026-03-04T17:31:00Z', 'tomorrow, 12:30 UTC', 'tomorrow, 17:30 UTC'],
] as const)('a trade placed while %s (session of %s) at %s', (state, day, now, opens, settles) => {
  expect(settlesWhen(session(state, day, now))).toEqual({ opens, settles });
});

test.each([
  ['2026-03-04T17:24:59Z', null, 'today, 17:30 UTC'],
  ['2026-03-04T17:25:00Z', 'tomorrow, 12:30 UTC', 'tomorrow, 17:30 UTC'],
])('a trade placed at an exchange at %s', (now, opens, settles) => {
  const open = session('open', '2026-03-04', now);
  if (opens !== null) expect(settlesWhen(open).opens).toBeNull();
  atExchange();
  expect(settlesWhen(open)).toEqual({ opens, settles });
});

test.each([
  ['closed', '2026-03-04T12:20:00Z', 'today, 12:30 UTC'],
  ['open', '2026-03-04T14:05:00Z', 'tomorrow, 12:30 UTC'],
  ['settling', '2026-03-04T17:31:00Z', 'tomorrow, 12:30 UTC'],
] as const)('a plan made while %s at %s trades from the next opening on: %s', (state, now, words) => {
  expect(nextOpening(session(state, '2026-03-04'), new Date(now))).toBe(words);
});

test('a session is in progress from its opening until it is settled', () => {
  const under = (['closed', 'open', 'settling', 'ended'] as const).map((state) =>
    isUnderWay(session(state, '2026-03-04')),
  );
  expect(under).toEqual([false, true, true, false]);
});
