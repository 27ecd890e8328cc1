/** A cell: text from anywhere, or a number of our own making. */
export type CsvCell = string | number | null;

/** What spreadsheets may read as the start of a formula. */
const FORMULA_START = /^[=+\-@\t\r\n]/;

/**
 * One cell of a CSV file. Text that a spreadsheet could run as a formula gets an apostrophe in front; numbers stay
 * numbers, so that a loss of −3.5 is written `-3.5` and can be summed. Unknown is an empty cell, never 0.
 * `csvCell('=1+1') === "'=1+1"` and `csvCell(-3.5) === '-3.5'`
 */
export function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA_START.test(value.trimStart()) || FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Head and rows as one CSV text, lines ended by CRLF (RFC 4180). */
export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** Hands the text to the browser as a file. The mark in front tells spreadsheets that it is UTF-8. */
export function saveCsv(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
