import { type RawBuilder, sql } from 'kysely';
import { cutPage, type Paging, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import type { ExportSection } from '#server/db/export-sql.ts';
import { listRows } from '#server/db/rows.ts';

/** A search of the log; each word of `text` is the prefix of a word in the entry. */
export type AuditQuery = Omit<AuditFilter, 'words'> & { readonly text?: string | undefined };

/** SQL of what the first entry of an action recorded about its subject; null without one. */
export const firstRecorded = (subject: RawBuilder<unknown>, action: string) => firstEntry('after', subject, action);

/** The same of when it was recorded: the start of the transaction of its action. */
export const firstRecordedAt = (subject: RawBuilder<unknown>, action: string) =>
  firstEntry('created_at', subject, action);

const firstEntry = (column: 'after' | 'created_at', subject: RawBuilder<unknown>, action: string) => sql`(
  select e.${sql.ref(column)} from audit.entry e
  where e.subject = ${subject} and e.action = ${sql.lit(action)} order by e.id limit 1)`;

const ROWS_PER_BATCH = 500;

/** One page of the log, newest first. Refuses `validation` for a cursor of another list. */
export async function listEntries(
  db: Db,
  query: AuditQuery,
  page: Paging,
): Promise<{ items: StoredEntry[]; nextCursor: string | null }> {
  const filter = readFilter(query);
  const after = readCursor(page.cursor, readEntryCursor);
  // The text has no words, so no entry matches.
  if (filter === undefined) return { items: [], nextCursor: null };
  const found = await listEntryRows(db, filter, { after, limit: page.limit + 1 });
  const { rows: items, nextCursor } = cutPage(found, page.limit, (entry) => writeEntryCursor(placeOf(entry)));
  return { items, nextCursor };
}

/** All matching entries, newest first, in chunks, without those written meanwhile. */
export function streamFoundEntries(db: Db, query: AuditQuery): AsyncGenerator<StoredEntry[]> {
  const filter = readFilter(query);
  return filter === undefined ? nothing() : streamRows(db, filter);
}

async function* nothing(): AsyncGenerator<StoredEntry[]> {}

async function* streamRows(db: Db, filter: AuditFilter): AsyncGenerator<StoredEntry[]> {
  let after: EntryPlace | undefined;
  while (true) {
    const rows: StoredEntry[] = await listEntryRows(db, filter, { after, limit: ROWS_PER_BATCH });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_PER_BATCH) return;
    after = placeOf(last);
  }
}

/** Undefined if the text has no words. */
function readFilter({ text, ...rest }: AuditQuery): AuditFilter | undefined {
  const words = text === undefined ? [] : searchWords(text);
  return text !== undefined && words.length === 0 ? undefined : { ...rest, words };
}

const placeOf = (entry: StoredEntry): EntryPlace => ({ atMicros: entry.createdAtMicros, id: entry.id });

type AuditFilter = {
  readonly id?: bigint | undefined;
  readonly actorKind?: 'member' | 'operator' | 'system' | undefined;
  readonly actorId?: bigint | undefined;
  /** An action, or a domain with its dot: `member.` */
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  /** Inclusive; `to` is exclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** In lower case; each is the prefix of a word in the entry. */
  readonly words: readonly string[];
};

export type StoredEntry = {
  readonly id: bigint;
  readonly createdAt: Date;
  readonly createdAtMicros: bigint;
  readonly actorKind: 'member' | 'operator' | 'system';
  readonly actorId: bigint | null;
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly address: string | null;
  /** The seal that covers it; null while it is not sealed. */
  readonly seal: bigint | null;
};

/** Newest first, after a cursor. */
const listEntryRows = (
  db: Db,
  filter: AuditFilter,
  page: { readonly after: EntryPlace | undefined; readonly limit: number },
): Promise<StoredEntry[]> =>
  listRows(db)`
    select e.id, e.created_at as "createdAt", (extract(epoch from e.created_at) * 1000000)::bigint as "createdAtMicros",
      e.actor_kind as "actorKind", e.actor_id as "actorId", e.action, e.subject, e.before, e.after, e.address,
      (select s.no from audit.seal s where s.horizon > e.tx order by s.horizon limit 1) as seal
    from audit.entry e
    where ${conditionOf(filter, page.after)}
    order by e.created_at desc, e.id desc limit ${page.limit}`;

/** The statement contains only the given filters, so that each combination gets its own plan. */
function conditionOf(filter: AuditFilter, after: EntryPlace | undefined): RawBuilder<unknown> {
  const { id, actorKind, actorId, action, subject, from, to, words } = filter;
  const parts: RawBuilder<unknown>[] = [];
  if (id !== undefined) parts.push(sql`e.id = ${id}`);
  if (actorKind !== undefined) parts.push(sql`e.actor_kind = ${actorKind}`);
  if (actorId !== undefined) parts.push(sql`e.actor_id = ${actorId}`);
  if (action?.endsWith('.')) parts.push(sql`e.action like ${`${action.replaceAll('_', '\\_')}%`}`);
  else if (action !== undefined) parts.push(sql`e.action = ${action}`);
  if (subject !== undefined) parts.push(sql`e.subject = ${subject}`);
  if (from !== undefined) parts.push(sql`e.created_at >= ${from}`);
  if (to !== undefined) parts.push(sql`e.created_at < ${to}`);
  if (words.length > 0) {
    const query = words.map((word) => `'${word}':*`).join(' & ');
    parts.push(
      sql`audit.words(e.action, e.subject, e.before, e.after, e.address) @@ to_tsquery('simple'::regconfig, ${query})`,
    );
  }
  if (after !== undefined) {
    parts.push(
      sql`(e.created_at, e.id) < (to_timestamp(0) + ${after.atMicros}::bigint * interval '1 microsecond', ${after.id}::bigint)`,
    );
  }
  return parts.length === 0 ? sql`true` : sql.join(parts, sql` and `);
}

/**
 * Splits a text like the database's index: lower case, at anything that is neither a letter nor a digit.
 * `searchWords('Member:17 anna@mail.test')` is `['member', '17', 'anna', 'mail', 'test']`,
 * `searchWords('...')` is `[]`.
 */
export const searchWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A cursor: microseconds since 1970 and id of the last row. */
type EntryPlace = { readonly atMicros: bigint; readonly id: bigint };

/** As text: `1772625600000000_17`. */
export const writeEntryCursor = ({ atMicros, id }: EntryPlace): string => `${atMicros}_${id}`;

/** Undefined if the text is no cursor of this list. */
export function readEntryCursor(cursor: string): EntryPlace | undefined {
  const [, at, id] = /^(\d{15,17})_([1-9]\d{0,17})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined ? undefined : { atMicros: BigInt(at), id: BigInt(id) };
}

/** A member's own actions. Operators' notes about them are not included. */
export const exportOwnActions = (memberId: bigint): ExportSection => ({
  name: 'actions',
  place: 'bigint',
  rows: sql`
    select id as place, created_at, action, subject, before, after, address
    from audit.entry where actor_kind = 'member' and actor_id = ${memberId}`,
});
