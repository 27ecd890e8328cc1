import { type CsvCell, csvLines } from '#contract/csv.ts';

/** A streamed text and its file name. */
export type TextFile = { readonly name: string; readonly text: AsyncIterable<string> };

const ROWS_PER_BATCH = 500;

/**
 * Streams rows as CSV, because there can be a million.
 *
 * @param list at most `limit` rows after the last one written
 */
export async function* writeCsv<Row>(
  head: readonly string[],
  cellsOf: (row: Row) => readonly CsvCell[],
  list: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLines([head]);
  let rows: readonly Row[] = [];
  do {
    rows = await list(rows.at(-1), ROWS_PER_BATCH);
    yield csvLines(rows.map(cellsOf));
  } while (rows.length === ROWS_PER_BATCH);
}
