export { type CsvCell, csvText } from '#contract/csv.ts';

/** Saves the text, of this page or of the server, as a file. The byte order mark tells spreadsheets that it is UTF-8. */
export const saveCsv = (fileName: string, text: string | Blob): void =>
  saveFile(fileName, new Blob(['\uFEFF', text], { type: 'text/csv;charset=utf-8' }));

/** Saves existing file content. */
export function saveFile(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}

/** The server's maximum page size. */
const PAGE_SIZE = '100';
/** A thousand pages a minute: below the server's rate limit, so that the rest of the app keeps working. */
const PACE_MS = 60;

export type PageQuery = { limit: string; cursor?: string };
type Page<T> = { items: T[]; next_cursor: string | null };

/**
 * All rows of a list, page by page: 100 000 of them take about a minute. Rows added meanwhile are not included.
 *
 * @param readPage reads one page, as `(query) => call(trading.listTrades, { query, signal })`
 * @param onCount receives the number of rows so far
 * @throws CallError when a page fails; the partial rows are discarded
 */
export async function collectPages<T>(
  readPage: (query: PageQuery) => Promise<Page<T>>,
  onCount: (count: number) => void,
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const pace = new Promise((resolve) => setTimeout(resolve, PACE_MS));
    const page: Page<T> = await readPage(cursor === null ? { limit: PAGE_SIZE } : { limit: PAGE_SIZE, cursor });
    rows.push(...page.items);
    onCount(rows.length);
    cursor = page.next_cursor;
    if (cursor !== null) await pace;
  } while (cursor !== null);
  return rows;
}
