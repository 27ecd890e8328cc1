import { expect, test } from 'vitest';
import { aFeePlan } from '../../../test/fees.ts';
import { atExchange } from '../../../test/render.tsx';
import { theSession } from '../../../test/trades.ts';
import { feeLines, formatBps, nextTerms, ofGain, rateLabel, termsNow } from './fees.ts';

const current = aFeePlan();
const next = aFeePlan({ trade_fee_bps: 30 }, 'next');

test.each([
  ['open', next, 40],
  ['settling', next, 30],
  ['closed', next, 30],
  ['ended', next, 30],
  ['open', null, 40],
  ['closed', null, 40],
] as const)('a trade placed while %s pays the fees it will open under', (state, waiting, tradeBps) => {
  expect(termsNow({ current, next: waiting }, { ...theSession, state }).trade_fee_bps).toBe(tradeBps);
});

test('a trade placed in the last minutes at an exchange pays the fees of the next opening', () => {
  atExchange();
  const closing = { ...theSession, state: 'open', market_time: '2026-03-04T17:25:00Z' } as const;
  expect(termsNow({ current, next }, closing).trade_fee_bps).toBe(30);
});

test('a plan pays the fees of the next opening', () => {
  expect(nextTerms({ current, next }).trade_fee_bps).toBe(30);
  expect(nextTerms({ current, next: null }).trade_fee_bps).toBe(40);
});

test.each([
  [550, 40, { fee: 2.2, position: 547.8 }],
  [5, 40, { fee: 0.02, position: 4.98 }],
  [1, 40, { fee: 0.004, position: 0.996 }],
  [550, 30, { fee: 1.65, position: 548.35 }],
  [550, 0, { fee: 0, position: 550 }],
  // 0.40 % of 33.333333 is 0.133333332: the ledger rounds the fee down, and the remainder stays in the position.
  [33.333333, 40, { fee: 0.133333, position: 33.2 }],
  [1_000_000_000, 40, { fee: 4_000_000, position: 996_000_000 }],
])('of %d dollars at %d basis points', (amount, tradeBps, lines) => {
  expect(feeLines(amount, tradeBps)).toEqual(lines);
});

test.each([null, 0, -5, Number.NaN, Number.POSITIVE_INFINITY])('%s is not an amount', (amount) => {
  expect(feeLines(amount, 40)).toBeNull();
});

test('an unknown rate is not shown', () => {
  expect(feeLines(550, undefined)).toBeNull();
  expect(rateLabel('Trade fee', undefined)).toBe('Trade fee');
  expect(ofGain(undefined)).toBe('–');
});

test('rates are shown in percent', () => {
  expect(formatBps(40)).toBe('0.40%');
  expect(formatBps(1000)).toBe('10%');
  expect(rateLabel('Trade fee', 40)).toBe('Trade fee, 0.40%');
  expect(ofGain(1000)).toBe('10% of a gain');
});
