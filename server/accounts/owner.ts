import { type RawBuilder, sql } from 'kysely';
import { type AuditEntry, writeAudit } from '#server/audit/index.ts';
import type { Tx } from '#server/db/connect.ts';

/** The owner of a sign-in, a challenge, a passkey or an authenticator app. */
export type Owner = { readonly memberId: bigint } | { readonly operatorId: bigint };

/** SQL condition for the rows of an owner, in tables with a column for each kind. */
export const ownedBy = (owner: Owner): RawBuilder<boolean> =>
  'memberId' in owner ? sql`member_id = ${owner.memberId}` : sql`operator_id = ${owner.operatorId}`;

/** The owner's id in its column, and null in the other. */
export const ownerColumns = (owner: Owner): { memberId: bigint | null; operatorId: bigint | null } =>
  'memberId' in owner
    ? { memberId: owner.memberId, operatorId: null }
    : { memberId: null, operatorId: owner.operatorId };

/** Audits an action on one's own account: `member.sign_out` of member 17 by member 17. */
export function auditOwn(
  tx: Tx,
  owner: Owner,
  action: string,
  details: Pick<AuditEntry, 'before' | 'after' | 'address'>,
): Promise<void> {
  const actor =
    'memberId' in owner
      ? ({ kind: 'member', id: owner.memberId } as const)
      : ({ kind: 'operator', id: owner.operatorId } as const);
  return writeAudit(tx, { actor, action, subject: `${actor.kind}:${actor.id}`, ...details });
}
