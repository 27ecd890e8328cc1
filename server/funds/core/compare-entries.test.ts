import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, compareEntries } from './compare-entries.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 4, 12, minute));
const amount = (about: string, units: string | null, more: Partial<Amount> = {}): Amount => ({
  about,
  units,
  at: at(0),
  asset: 'USDT',
  ...more,
});
const kinds = (listed: Amount[], booked: Amount[]) => compareEntries(listed, booked).map(({ kind }) => kind);

describe('what a gateway lists and what is booked', () => {
  test('are the same when their sums are, whatever they consist of', () => {
    const [compared] = compareEntries(
      [amount('payout/1', '-100', { at: at(5) }), amount('payout/1', '-1.2')],
      [amount('payout/1', '-101.2000', { at: at(9), reference: 'WD-7M2QX4' })],
    );
    expect(compared).toEqual({
      about: 'payout/1',
      kind: 'matched',
      at: at(0),
      asset: 'USDT',
      listed: '-101.2',
      booked: '-101.2',
      reference: 'WD-7M2QX4',
    });
  });

  test('differ by a millionth, by the asset, and where one side is not there', () => {
    expect(kinds([amount('payment/1', '100')], [amount('payment/1', '99.999999')])).toEqual(['differs']);
    expect(kinds([amount('payment/1', '100', { asset: 'DAI' })], [amount('payment/1', '100')])).toEqual(['differs']);
    expect(kinds([amount('payment/1', '100')], [])).toEqual(['unmatched']);
    expect(kinds([], [amount('payment/1', '100')])).toEqual(['missing']);
  });

  test('match when the number of booked coins is unknown', () => {
    expect(kinds([amount('payment/1', '0.5')], [amount('payment/1', null)])).toEqual(['matched']);
  });

  test('do not depend on the order, and both sides of the same list match', () => {
    const one = fc.record({ about: fc.constantFrom('a', 'b', 'c'), units: fc.bigInt({ min: -999n, max: 999n }) });
    fc.assert(
      fc.property(fc.array(one), fc.array(one), (listed, booked) => {
        const rows = (given: typeof listed) => given.map(({ about, units }) => amount(about, String(units)));
        expect(compareEntries(rows(listed).toReversed(), rows(booked).toReversed())).toEqual(
          compareEntries(rows(listed), rows(booked)),
        );
        expect(new Set(kinds(rows(listed), rows(listed)))).toEqual(new Set(listed.length === 0 ? [] : ['matched']));
      }),
    );
  });
});
