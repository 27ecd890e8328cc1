import { writeDollars } from './money.ts';

/** A CSV cell, written by server and client alike: untrusted text, a number of our own, or micros. */
export type CsvCell = string | number | bigint | null;

/**
 * What a spreadsheet may treat as the start of a formula, in full width as well: at the start of the text, and after a
 * semicolon, which separates cells where a comma is the decimal sign.
 */
const FORMULA_START = /(^|;)(?=\s*[=+\-@＝＋－＠]|[\t\r\n])/g;

/**
 * One cell of a CSV file. A formula that a spreadsheet could run gets a leading apostrophe; numbers stay
 * numbers, so that a loss of −3.5 is written `-3.5` and can be summed. Micros are written as dollars with all six
 * decimals. Unknown is an empty cell, never 0.
 * `csvCell('=1+1') === "'=1+1"`, `csvCell(-3.5) === '-3.5'` and `csvCell(-3_500_000n) === '-3.500000'`
 */
export function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'bigint') return writeDollars(value);
  const safe = value.replace(FORMULA_START, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV lines that end in CRLF (RFC 4180). */
export const csvLines = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** Head and rows as one CSV text. */
export const csvText = (head: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  csvLines([head, ...rows]);
