import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { type EntryPlace, readEntryCursor, searchWords, writeEntryCursor } from './core/entry-search.ts';
import { type AuditFilter, listEntryRows, type StoredEntry } from './entry-sql.ts';

/** What is looked for in the log; `text` are words that each begin a word of the entry. */
export type AuditQuery = Omit<AuditFilter, 'words'> & { readonly text?: string | undefined };

const ROWS_AT_ONCE = 500;

/** One page of the log, newest first. Refusals: `period_turned`, `validation` for a cursor of another list. */
export async function listEntries(
  db: Db,
  query: AuditQuery,
  page: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: StoredEntry[]; nextCursor: string | null }> {
  const filter = readFilter(query);
  const after = readCursor(page.cursor, readEntryCursor);
  // Nothing but signs was looked for: no entry has such a word.
  if (filter === undefined) return { items: [], nextCursor: null };
  const found = await listEntryRows(db, filter, { after, limit: page.limit + 1 });
  const { rows: items, nextCursor } = cutPage(found, page.limit, (entry) => writeEntryCursor(placeOf(entry)));
  return { items, nextCursor };
}

/**
 * Everything that fits, newest first, in chunks, as long as the log is. What is written meanwhile is not in it. Refusal:
 * `period_turned`, before the first chunk.
 */
export function streamFoundEntries(db: Db, query: AuditQuery): AsyncGenerator<StoredEntry[]> {
  const filter = readFilter(query);
  return filter === undefined ? nothing() : streamRows(db, filter);
}

async function* nothing(): AsyncGenerator<StoredEntry[]> {}

async function* streamRows(db: Db, filter: AuditFilter): AsyncGenerator<StoredEntry[]> {
  let after: EntryPlace | undefined;
  while (true) {
    const rows: StoredEntry[] = await listEntryRows(db, filter, { after, limit: ROWS_AT_ONCE });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = placeOf(last);
  }
}

/** Undefined when the text holds no word. */
function readFilter({ text, ...rest }: AuditQuery): AuditFilter | undefined {
  const { from, to } = rest;
  if (from !== undefined && to !== undefined && to <= from) throw new Refused('period_turned');
  const words = text === undefined ? [] : searchWords(text);
  return text !== undefined && words.length === 0 ? undefined : { ...rest, words };
}

const placeOf = (entry: StoredEntry): EntryPlace => ({ atMicros: entry.createdAtMicros, id: entry.id });
