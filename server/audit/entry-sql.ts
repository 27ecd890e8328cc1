import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { EntryPlace } from './core/entry-search.ts';

export type AuditFilter = {
  readonly actorKind?: 'member' | 'operator' | 'system' | undefined;
  readonly actorId?: bigint | undefined;
  /** Whole, or a domain with its dot: `member.` */
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  /** From this instant on, and before that one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Lower-case words; each begins a word of the entry. */
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
  /** The seal that covers it; null until the next one is made. */
  readonly seal: bigint | null;
};

/** Newest first, those after a place. */
export async function listEntryRows(
  db: Db,
  filter: AuditFilter,
  page: { readonly after: EntryPlace | undefined; readonly limit: number },
): Promise<StoredEntry[]> {
  const { rows } = await sql<StoredEntry>`
    select e.id, e.created_at as "createdAt", (extract(epoch from e.created_at) * 1000000)::bigint as "createdAtMicros",
      e.actor_kind as "actorKind", e.actor_id as "actorId", e.action, e.subject, e.before, e.after, e.address,
      (select s.no from audit.seal s where s.horizon > e.tx order by s.horizon limit 1) as seal
    from audit.entry e
    where ${conditionOf(filter, page.after)}
    order by e.created_at desc, e.id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** Only what was asked for is in the statement, so that each way of asking gets the plan that fits it. */
function conditionOf(filter: AuditFilter, after: EntryPlace | undefined): RawBuilder<unknown> {
  const { actorKind, actorId, action, subject, from, to, words } = filter;
  const parts: RawBuilder<unknown>[] = [];
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
