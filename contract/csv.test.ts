import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvText } from './csv.ts';

test.each([
  ['plain text stays unchanged', 'Deposit', 'Deposit'],
  ['a formula is defused', '=HYPERLINK("http://evil")', `"'=HYPERLINK(""http://evil"")"`],
  ['a leading plus is a formula', '+1-2', "'+1-2"],
  ['a leading minus is a formula', '-1+cmd', "'-1+cmd"],
  ['a leading at sign is a formula', '@SUM(A1)', "'@SUM(A1)"],
  ['a leading tab is a formula', '\t=1', "'\t=1"],
  ['a leading space does not hide a formula', ' =1+1', "' =1+1"],
  ['a formula in full width is defused', '＝1+1', "'＝1+1"],
  ['a formula after a semicolon is defused', 'Ann; =1+1;-2', "Ann;' =1+1;'-2"],
  ['a comma is quoted', 'Paid less, credited', '"Paid less, credited"'],
  ['a quote is doubled', 'say "yes"', '"say ""yes"""'],
  ['a line break is quoted', 'a\nb', '"a\nb"'],
  ['unknown is an empty cell', null, ''],
  ['zero is a number', 0, '0'],
  ['a loss stays a number', -3.5, '-3.5'],
  ['micros become dollars with all decimals', 1_234_567_000_001n, '1234567.000001'],
  ['negative micros stay a number', -500_000n, '-0.500000'],
  ['zero micros are zero', 0n, '0.000000'],
])('%s', (_name, cell, written) => {
  expect(csvCell(cell)).toBe(written);
});

test('no text cell starts with a character that a spreadsheet executes', () => {
  fc.assert(
    fc.property(fc.constantFrom('=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ='), fc.string(), (start, rest) => {
      expect(csvCell(start + rest).replace(/^"/, '')).toMatch(/^'/);
      expect(csvCell(`${rest};${start}`)).toContain(`;'${start}`);
    }),
  );
});

test('header and rows end with CRLF, and a row keeps its number of cells', () => {
  expect(csvText(['Kind', 'Amount'], [['Trade, fee', -1]])).toBe('Kind,Amount\r\n"Trade, fee",-1\r\n');
});
