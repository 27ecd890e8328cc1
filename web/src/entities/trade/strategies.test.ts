import { expect, test } from 'vitest';
import {
  strategyNames as contractNames,
  type StrategyName,
  strategyDefaults,
  strategyParameters,
  strategyParams,
} from '#contract/trading/strategy.ts';
import {
  defaultParameters,
  type ParameterDraft,
  readParameters,
  strategyLabels,
  strategyLine,
  strategyNames,
} from './strategies.ts';

test('strategies, their parameters and their defaults match the contract', () => {
  expect(strategyNames).toEqual(contractNames);
  for (const name of contractNames) expect(strategyLabels[name].parameters).toEqual(strategyParameters[name]);
  expect(readParameters('mean_reversion', defaultParameters)).toEqual({ params: strategyDefaults });
});

test.each([4, 5, 5.5, 20, 100, 101, 0])('a period of %d is accepted or refused as by the contract', (period) => {
  const read = readParameters('momentum', { ...defaultParameters, period: String(period) });
  const said = strategyParams.safeParse({ period }).error?.issues[0]?.message;
  expect('errors' in read ? read.errors.period : undefined).toBe(said);
});

test.each([0, 0.4, 0.5, 0.75, 2, 2.5, 5, 5.5])(
  'a multiple of %d is accepted or refused as by the contract',
  (multiple) => {
    const read = readParameters('mean_reversion', { ...defaultParameters, atr_multiple: String(multiple) });
    const said = strategyParams.safeParse({ atr_multiple: multiple }).error?.issues[0]?.message;
    expect('errors' in read ? read.errors.atr_multiple : undefined).toBe(said);
  },
);

test.each<[StrategyName, ParameterDraft, unknown]>([
  ['session_hold', { period: '3', atr_multiple: '99' }, { params: {} }],
  ['momentum', { period: '12', atr_multiple: '99' }, { params: { period: 12 } }],
  ['mean_reversion', { period: '30', atr_multiple: '1.5' }, { params: { period: 30, atr_multiple: 1.5 } }],
  ['momentum', { period: '', atr_multiple: '2' }, { errors: { period: 'Enter a number of candles.' } }],
  ['mean_reversion', { period: '20', atr_multiple: '' }, { errors: { atr_multiple: 'Enter a multiple.' } }],
  ['momentum', { period: '1e1', atr_multiple: '2' }, { errors: { period: 'Enter a number of candles.' } }],
  ['mean_reversion', { period: '20', atr_multiple: '2,5' }, { errors: { atr_multiple: 'Enter a multiple.' } }],
])('%s sends only its own parameters of %o', (strategy, draft, expected) => {
  expect(readParameters(strategy, draft)).toEqual(expected);
});

test('a strategy and its settings are shown on one line', () => {
  expect(strategyLine('session_hold', {})).toBe('Session hold');
  expect(strategyLine('mean_reversion', { period: 20, atr_multiple: 2.5 })).toBe(
    'Mean reversion, 20 candles, 2.5 × range',
  );
});
