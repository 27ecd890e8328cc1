import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { AuditEntry, audit } from '#contract/operator/audit.ts';
import { type AuditQuery, listEntries, type StoredEntry } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { type ActorNames, findActorNames, nameOf } from './actor-names.ts';

type ListAudit = typeof audit.listAudit;
export type AuditSearch = Omit<QueryOf<ListAudit>, 'limit' | 'cursor' | 'format'>;

/** What was asked for, as the log understands it. */
export const readAuditSearch = ({ actor, actor_id: actorId, from, to, ...rest }: AuditSearch): AuditQuery => ({
  ...rest,
  actorKind: actor,
  actorId: actorId === undefined ? undefined : BigInt(actorId),
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
});

/**
 * One page of the audit log. All roles read all of it: what support must not do, it cannot do, and what others did with
 * money is what members ask support about.
 */
export async function listAudit({ db }: Context, query: QueryOf<ListAudit>): Promise<DataOf<ListAudit>> {
  const { limit, cursor, format: _, ...search } = query;
  const { items, nextCursor } = await listEntries(db, readAuditSearch(search), { cursor, limit });
  const names = await findActorNames(db, items);
  return { items: items.map((entry) => showEntry(entry, names)), next_cursor: nextCursor };
}

const showEntry = (entry: StoredEntry, names: ActorNames): AuditEntry => ({
  id: entry.id.toString(),
  at: entry.createdAt.toISOString(),
  actor: { kind: entry.actorKind, id: entry.actorId?.toString() ?? null, name: nameOf(entry, names) },
  action: entry.action,
  subject: entry.subject,
  before: entry.before,
  after: entry.after,
  address: entry.address,
  seal: entry.seal?.toString() ?? null,
});
