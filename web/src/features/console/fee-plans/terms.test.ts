import { describe, expect, test } from 'vitest';
import { type FeePlanTerms, firstFeePlan } from '#contract/fee-plan.ts';
import { type Draft, distributed, draftOf, rateFields, readDraft, readField, restOf, type TermField } from './terms.ts';

const draft: Draft = draftOf(firstFeePlan);
const tradeFee = rateFields[0] as TermField;

test('a plan is entered in percent and dollars, and reads back unchanged', () => {
  expect(draft).toMatchObject({
    trade_fee_bps: '0.4',
    'level_bps.0': '20',
    withdrawal_fee_min: '1',
    'ranks.4.volume': '2000000',
    weekly_min_directs: '3',
  });
  expect(readDraft(draft)).toEqual({ terms: firstFeePlan });
});

test('amounts stay exact to the micro, whatever their size', () => {
  const ranks = [0.000001, 1.5, 2, 3, 8_500_000_000].map((volume) => ({ volume, monthly: 0.25, reward: 0 }));
  const terms: FeePlanTerms = { ...firstFeePlan, withdrawal_fee_min: 0.123456, ranks };
  expect(draftOf(terms)).toMatchObject({ 'ranks.0.volume': '0.000001', 'ranks.4.volume': '8500000000' });
  expect(readDraft(draftOf(terms))).toEqual({ terms });
});

test.each<[string, object]>([
  ['0.4', { value: 40 }],
  [' 1.15 ', { value: 115 }],
  ['10', { value: 1000 }],
  ['10.01', { error: 'At most 10%.' }],
  ['0.405', { error: 'Enter a percentage with at most 2 decimals.' }],
  ['−1', { error: 'Enter a percentage with at most 2 decimals.' }],
  ['', { error: 'Enter a percentage with at most 2 decimals.' }],
])('a trade fee of %j is read as %j', (text, read) => {
  expect(readField(tradeFee, text)).toEqual(read);
});

describe('distribution of a fee', () => {
  test('adds up levels and pools, and the rest is retained', () => {
    expect(distributed('trade', draft)).toBe(7_500);
    expect(distributed('performance', draft)).toBe(3_000);
    expect(restOf(7_500)).toBe(2_500);
  });

  test('is unknown while a field is empty', () => {
    expect(distributed('trade', { ...draft, weekly_bps: '' })).toBeUndefined();
  });

  test('is the whole fee at most', () => {
    expect(readDraft({ ...draft, weekly_bps: '35' })).toHaveProperty('terms');
    expect(readDraft({ ...draft, weekly_bps: '35.01' })).toEqual({
      errors: { trade: 'More than 100% of the fee is distributed.' },
    });
    expect(readDraft({ ...draft, 'team_profit_bps.2': '75.01' })).toEqual({
      errors: { performance: 'More than 100% of the fee is distributed.' },
    });
  });
});

test('amounts have the limits of the server', () => {
  expect(readDraft({ ...draft, withdrawal_fee_min: '9.01' })).toEqual({
    errors: { withdrawal_fee_min: 'At most $9.00.' },
  });
  expect(readDraft({ ...draft, 'ranks.4.monthly': '100000', 'ranks.4.reward': '100000' })).toHaveProperty('terms');
  for (const column of ['monthly', 'reward'])
    expect(readDraft({ ...draft, [`ranks.4.${column}`]: '100000.01' })).toHaveProperty('errors');
});

test('each rank must exceed the one before, and a cap of zero is refused', () => {
  expect(readDraft({ ...draft, 'ranks.1.volume': '5000', leg_cap_bps: '0' })).toEqual({
    errors: { 'ranks.1.volume': 'Must exceed the rank before.', leg_cap_bps: 'At least 0.01%.' },
  });
  expect(readDraft({ ...draft, 'ranks.0.volume': '0' })).toEqual({
    errors: { 'ranks.0.volume': 'Must exceed the rank before.' },
  });
});
