import fc from 'fast-check';
import { expect, test } from 'vitest';
import { paging } from '#contract/endpoint.ts';
import { incomeKinds } from '#contract/income.ts';
import { comparePayoutKeys, payoutCursor, readPayoutCursor } from './payout-cursor.ts';
import { boundDay } from './periods.ts';

const anyPlace = fc.record({
  day: fc.constantFrom('1970-01-01', '2026-02-28', '2026-03-04', '9999-12-31'),
  kind: fc.constantFrom(...incomeKinds),
});

test('a cursor that was given out is read again, and passes the check of cursors', () => {
  fc.assert(
    fc.property(anyPlace, (place) => {
      expect(paging.cursor.parse(payoutCursor(place))).toBe(payoutCursor(place));
      expect(readPayoutCursor(payoutCursor(place))).toEqual(place);
    }),
  );
});

test.each([
  '2026-03-04',
  '2026-03-04_',
  '2026-03-04_gift',
  '2026-02-30_trade',
  '0000-01-01_trade',
  'trade',
  '17',
  '2026-03-04_trade_',
])('no cursor of a statement: %s', (text) => {
  expect(readPayoutCursor(text)).toBeUndefined();
});

test('later days come first, and in a day the kinds in their order', () => {
  const places = [
    { day: '2026-03-03', kind: 'referral' },
    { day: '2026-03-04', kind: 'reward' },
    { day: '2026-03-04', kind: 'referral' },
    { day: '2026-03-03', kind: 'compounding' },
  ] as const;
  expect([...places].sort(comparePayoutKeys)).toEqual([places[2], places[1], places[0], places[3]]);
});

test('a bound before all markets bounds as the first day does', () => {
  expect(['0000-01-01', '1969-12-31', '1970-01-01', '2026-03-04'].map(boundDay)).toEqual([
    '1970-01-01',
    '1970-01-01',
    '1970-01-01',
    '2026-03-04',
  ]);
});
