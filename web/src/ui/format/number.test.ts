import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatPercent, formatSignedMoney, grouped } from './number.ts';

test('a decimal keeps all its digits, with grouped thousands', () => {
  expect(['107125.235800000001', '555.287505', '1000'].map(grouped)).toEqual([
    '107,125.235800000001',
    '555.287505',
    '1,000',
  ]);
});

test.each([
  [4218.635, 4, '$4,218.6350'],
  [0, 4, '$0'],
  [-0, 4, '$0'],
  [null, 4, '–'],
  [undefined, 4, '–'],
  [1234567.8, 2, '$1,234,567.80'],
  // More than 4 decimals are rounded to 4, half away from zero, in decimal rather than binary.
  [2.00005, 4, '$2.0001'],
  [1.000049, 4, '$1.0000'],
  [0.999999, 2, '$1.00'],
  [0.00004, 4, '$0'],
  // An amount as typed keeps its own decimals.
  [550, 'typed', '$550.00'],
  [12.3456, 'typed', '$12.3456'],
  [12.345, 'typed', '$12.3450'],
  [12.3, 'typed', '$12.30'],
] as const)('%d with %s decimals is %s', (dollars, decimals, text) => {
  expect(formatMoney(dollars, decimals)).toBe(text);
});

test.each([
  [7.4379, '+$7.4379'],
  [-4.4133, '−$4.4133'],
  [0, '$0'],
  [-0.00001, '$0'],
  [null, '–'],
] as const)('signed, %d is %s', (dollars, text) => {
  expect(formatSignedMoney(dollars)).toBe(text);
});

test('no displayed amount is off by more than half a unit of its last decimal', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -8_500_000_000_000_000n, max: 8_500_000_000_000_000n }), (micros) => {
      const text = formatMoney(Number(micros) / 1e6, 4);
      const [whole = '', decimals = '0000'] = text.replace('−', '-').replace(/[$,]/g, '').split('.');
      const shown = BigInt(`${whole}${decimals}`) * 100n;
      const off = shown - micros;
      expect(off >= -50n && off <= 50n).toBe(true);
    }),
  );
});

test.each([
  [1.24, {}, '1.24%'],
  [1.24, { signed: true }, '+1.24%'],
  [-0.289, { signed: true }, '−0.29%'],
  [-0.289, {}, '−0.29%'],
  [0, { signed: true }, '0%'],
  [0.001, { signed: true }, '0%'],
  [0.0012, { decimals: 4 }, '0.0012%'],
  [null, {}, '–'],
] as const)('%d %o is %s', (percent, options, text) => {
  expect(formatPercent(percent, options)).toBe(text);
});
