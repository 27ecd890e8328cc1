import { type CsvCell, csvLines } from '#contract/csv.ts';

/** A text that is made while it is sent, and what who saves it sees as its name. */
export type TextFile = { readonly name: string; readonly text: AsyncIterable<string> };

const ROWS_AT_ONCE = 500;

/**
 * Rows as the text of a CSV file, made while it is read: there can be a million of them.
 *
 * @param list at most `limit` rows, those that come after the last one that was written
 */
export async function* writeCsv<Row>(
  head: readonly string[],
  cellsOf: (row: Row) => readonly CsvCell[],
  list: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLines([head]);
  let rows: readonly Row[] = [];
  do {
    rows = await list(rows.at(-1), ROWS_AT_ONCE);
    yield csvLines(rows.map(cellsOf));
  } while (rows.length === ROWS_AT_ONCE);
}
