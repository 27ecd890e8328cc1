import { expect, test } from 'vitest';
import { filterText, periodText, readFilterChoice, statementFileName, statementFilter } from './statement-filters.ts';

const at = (address: string, now = '2026-03-04T14:05:00Z') => {
  const choice = readFilterChoice(new URLSearchParams(address));
  return statementFilter(choice, new Date(now));
};

test.each([
  ['period=today', '2026-03-04T14:05:00Z', '2026-03-04T00:00:00.000Z', undefined],
  ['period=7d', '2026-03-04T00:00:00Z', '2026-02-26T00:00:00.000Z', undefined],
  ['period=7d', '2026-03-04T23:59:59Z', '2026-02-26T00:00:00.000Z', undefined],
  ['period=month', '2026-03-04T14:05:00Z', '2026-03-01T00:00:00.000Z', undefined],
  ['period=last-month', '2026-03-04T14:05:00Z', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  ['period=last-month', '2026-01-31T14:05:00Z', '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['period=year', '2026-03-04T14:05:00Z', '2025-03-05T00:00:00.000Z', undefined],
  [
    'period=days&from=2026-02-27&to=2026-02-28',
    '2026-03-04T14:05:00Z',
    '2026-02-27T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
  ],
  ['period=days&to=2026-02-28', '2026-03-04T14:05:00Z', undefined, '2026-03-01T00:00:00.000Z'],
  ['period=days&from=2026-02-30', '2026-03-04T14:05:00Z', undefined, undefined],
  ['period=century&from=2026-02-01', '2026-03-04T14:05:00Z', undefined, undefined],
  ['from=2026-02-01', '2026-03-04T14:05:00Z', undefined, undefined],
])('%s at %s is from %s to %s', (address, now, from, to) => {
  const filter = at(address, now);
  expect([filter.from, filter.to]).toEqual([from, to]);
});

test('kind and wallet in the address are used if they exist', () => {
  expect(at('kind=trade_fee&wallet=on_hold')).toMatchObject({ kind: 'trade_fee', wallet: 'on_hold' });
  expect(at('kind=bet&wallet=toString')).toMatchObject({ kind: undefined, wallet: undefined });
});

test('a period is labelled by its full days', () => {
  expect(periodText(at('period=last-month'))).toBe('1 Feb 2026 to 28 Feb 2026');
  expect(periodText(at('period=days&from=2026-02-27&to=2026-02-27'))).toBe('27 Feb 2026');
  expect(periodText(at('period=days&to=2026-02-27'))).toBe('until 27 Feb 2026');
  expect(periodText(at('period=7d'))).toBe('since 26 Feb 2026');
  expect(periodText({})).toBe('all time');
});

test('only active filters are named', () => {
  expect(filterText(at('kind=trade_fee&wallet=in_trades&period=7d'))).toBe('“Trade fee”, In trades, since 26 Feb 2026');
  expect(filterText({ wallet: 'profit' })).toBe('Profit Wallet');
  expect(filterText({})).toBe('');
});

test('the file is named after the days it covers', () => {
  expect(statementFileName(at('period=last-month'))).toBe('transactions-2026-02-01-to-2026-02-28.csv');
  expect(statementFileName({})).toBe('transactions-beginning-to-today.csv');
});
