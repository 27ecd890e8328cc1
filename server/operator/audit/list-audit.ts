import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { AuditEntry, audit } from '#contract/operator/audit.ts';
import { listMemberNames, listOperatorNames } from '#server/accounts/index.ts';
import { type AuditQuery, listEntries, type StoredEntry } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { readPeriod } from '#server/read-period.ts';

type ListAudit = typeof audit.listAudit;
export type AuditSearch = Omit<QueryOf<ListAudit>, 'limit' | 'cursor' | 'format'>;

/** The parsed filter. Refuses `period_turned`. */
export const readAuditSearch = ({ id, actor, actor_id: actorId, from, to, ...rest }: AuditSearch): AuditQuery => ({
  ...rest,
  id: id === undefined ? undefined : BigInt(id),
  actorKind: actor,
  actorId: actorId === undefined ? undefined : BigInt(actorId),
  ...readPeriod({ from, to }),
});

/**
 * One page of the audit log, open to every role: support cannot do what it must not, and members ask support about what
 * others did with their money.
 */
export async function listAudit({ db }: Context, query: QueryOf<ListAudit>): Promise<DataOf<ListAudit>> {
  const { limit, cursor, format: _, ...search } = query;
  const { items, nextCursor } = await listEntries(db, readAuditSearch(search), { cursor, limit });
  const names = await findActorNames(db, items);
  return { items: items.map((entry) => showEntry(entry, names)), next_cursor: nextCursor };
}

/** The newest entries about a member. */
export async function listAuditAbout(db: Db, memberId: bigint, limit: number): Promise<AuditEntry[]> {
  const { items } = await listEntries(db, { subject: `member:${memberId}` }, { limit });
  const names = await findActorNames(db, items);
  return items.map((entry) => showEntry(entry, names));
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

type ActorNames = {
  readonly members: ReadonlyMap<bigint, string>;
  readonly operators: ReadonlyMap<bigint, string>;
};

/** The current names of all actors in these entries. */
export async function findActorNames(db: Db, entries: readonly StoredEntry[]): Promise<ActorNames> {
  const idsOf = (kind: 'member' | 'operator') =>
    entries.flatMap(({ actorKind, actorId }) => (actorKind === kind && actorId !== null ? [actorId] : []));
  const [members, operators] = await Promise.all([
    listMemberNames(db, idsOf('member')),
    listOperatorNames(db, idsOf('operator')),
  ]);
  return { members, operators };
}

/** Null for the system. */
export function nameOf({ actorKind, actorId }: StoredEntry, { members, operators }: ActorNames): string | null {
  if (actorId === null) return null;
  return (actorKind === 'member' ? members : operators).get(actorId) ?? null;
}
