import { expect, test } from 'vitest';
import { backtestLimits, backtestOrder } from '#contract/trading/backtest.ts';
import { draftOf, noStops } from '../../entities/trade/stops.ts';
import { defaultParameters } from '../../entities/trade/strategies.ts';
import { daysBefore } from '../../ui/format/period.ts';
import { type BacktestDraft, countDays, MAX_DAYS, MAX_DOLLARS, readOrder } from './backtest-form.tsx';

const draft: BacktestDraft = {
  strategy: 'momentum',
  parameters: defaultParameters,
  symbols: ['btc', 'eth'],
  from: '2026-02-03',
  to: '2026-03-04',
  typed: '1000',
  compounding: false,
  stops: draftOf(noStops),
};

test('a completed form becomes a request that the contract accepts', () => {
  const read = readOrder({ ...draft, stops: { ...draftOf(noStops), stop_loss: '2.5' } });
  expect(read).toEqual({
    order: {
      strategy: 'momentum',
      params: { period: 20 },
      symbols: ['btc', 'eth'],
      from: '2026-02-03',
      to: '2026-03-04',
      amount: 1000,
      compounding: false,
      stop_loss: 2.5,
    },
  });
  expect('order' in read && backtestOrder.safeParse(read.order).success).toBe(true);
});

test.each([
  [{ strategy: null }, { field: 'strategy', message: 'Choose a strategy.' }],
  [{ symbols: [] }, { field: 'symbols', message: 'Choose an asset.' }],
  [{ from: undefined }, { field: 'from', message: 'Enter a date.' }],
  [{ to: undefined }, { field: 'to', message: 'Enter a date.' }],
  [{ to: '2026-02-02' }, { field: 'to', message: 'The period ends before it begins.' }],
  [{ from: '2025-01-01' }, { field: 'to', message: 'At most 400 days.' }],
  [{ typed: '' }, { field: 'amount', message: 'At least $5 for each asset.' }],
  [{ typed: '1,000' }, { field: 'amount', message: 'Enter an amount in numbers.' }],
  [{ typed: '1000000.01' }, { field: 'amount', message: 'At most $1,000,000.' }],
  [{ typed: '9.99' }, { field: 'amount', message: 'At least $5 for each asset.' }],
  [{ parameters: { ...defaultParameters, period: '4' } }, { parameters: { period: 'From 5 to 100 candles.' } }],
  [{ stops: { ...draftOf(noStops), trailing_stop: '60' } }, { stops: { trailing_stop: 'From 0.1 to 50%.' } }],
] as const)('%j gives the error %j', (change, error) => {
  expect(readOrder({ ...draft, ...change } as BacktestDraft)).toMatchObject({ error });
});

test('the limits are those of the contract', () => {
  expect({ days: MAX_DAYS, dollars: MAX_DOLLARS }).toEqual({
    days: backtestLimits.days,
    dollars: backtestLimits.dollars,
  });
});

test('days are counted inclusively, across the end of a month', () => {
  expect(countDays('2026-02-27', '2026-03-01')).toBe(3);
  expect(daysBefore('2026-03-01', 2)).toBe('2026-02-27');
});
