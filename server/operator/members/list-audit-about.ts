import type { AuditEntry } from '#contract/operator/audit.ts';
import { listMemberNames, listOperatorNames } from '#server/accounts/index.ts';
import { listEntries, type StoredEntry } from '#server/audit/index.ts';
import type { Db } from '#server/db/connect.ts';

/** The newest entries of the audit log about a member. */
export async function listAuditAbout(db: Db, memberId: bigint, limit: number): Promise<AuditEntry[]> {
  const { items } = await listEntries(db, { subject: `member:${memberId}` }, { limit });
  const actors = (kind: StoredEntry['actorKind']) =>
    items.flatMap(({ actorKind, actorId }) => (actorKind === kind && actorId !== null ? [actorId] : []));
  const members = await listMemberNames(db, actors('member'));
  const operators = await listOperatorNames(db, actors('operator'));
  const nameOf = ({ actorKind, actorId }: StoredEntry): string | null =>
    actorId === null ? null : ((actorKind === 'operator' ? operators : members).get(actorId) ?? null);
  return items.map((entry) => ({
    id: entry.id.toString(),
    at: entry.createdAt.toISOString(),
    actor: { kind: entry.actorKind, id: entry.actorId?.toString() ?? null, name: nameOf(entry) },
    action: entry.action,
    subject: entry.subject,
    before: entry.before,
    after: entry.after,
    address: entry.address,
    seal: entry.seal?.toString() ?? null,
  }));
}
