import { expect, test } from 'vitest';
import { symbols } from '../rules.ts';
import { backtestOrder } from './backtest.ts';

const fine = { strategy: 'momentum', symbols: ['btc', 'eth'], from: '2026-01-01', to: '2026-03-31', amount: 100 };

test('omitted fields get defaults', () => {
  expect(backtestOrder.parse(fine)).toEqual({ ...fine, wallet_type: 'primary', compounding: false });
});

test.each([
  ['a parameter of another strategy', { params: { atr_multiple: 2 } }, 'params', 'This strategy has no such setting.'],
  ['a repeated asset', { symbols: ['btc', 'btc'] }, 'symbols', 'Choose each asset once.'],
  ['no asset', { symbols: [] }, 'symbols', 'Choose an asset.'],
  ['too many assets', { symbols: [...symbols, 'new'] }, 'symbols', `At most ${symbols.length} assets.`],
  ['an end before the start', { to: '2025-12-31' }, 'to', 'The period ends before it begins.'],
  ['401 days', { to: '2027-02-05' }, 'to', 'At most 400 days.'],
  ['a day that does not exist', { from: '2026-02-30' }, 'from', 'Enter a day.'],
  ['a stop-loss of 0.05 %', { stop_loss: 0.05 }, 'stop_loss', 'From 0.1 to 99.9%.'],
  ['an amount that could outgrow JSON', { amount: 1_000_000.01 }, 'amount', 'At most $1,000,000.'],
  ['an amount with 7 decimals', { amount: 1.0000001 }, 'amount', 'An amount has at most 6 decimals.'],
])('%s is refused with the field named', (_, change, field, message) => {
  const parsed = backtestOrder.safeParse({ ...fine, ...change });
  expect(parsed.error?.issues[0]).toMatchObject({ path: [field], message });
});

test('exactly 400 days and exactly one day are accepted', () => {
  expect(backtestOrder.safeParse({ ...fine, to: '2027-02-04' }).success).toBe(true);
  expect(backtestOrder.safeParse({ ...fine, to: '2026-01-01' }).success).toBe(true);
});
