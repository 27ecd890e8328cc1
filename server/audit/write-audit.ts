import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';

/** Who acted. The system has no id; everybody else has one. */
export type Actor =
  | { readonly kind: 'member' | 'operator'; readonly id: bigint }
  | { readonly kind: 'system'; readonly id: null };

export type AuditEntry = {
  readonly actor: Actor;
  /** Domain and verb: `member.change_password`. */
  readonly action: string;
  /** What it was done to: `member:17`. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Network address of the request; left out for jobs. */
  readonly address?: string | undefined;
};

/**
 * Writes one line of the audit log in the transaction of the action itself (docs/product.md, section 10). Secrets do
 * not belong into `before` and `after`: the log is read by people and cannot be changed afterwards.
 */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  assert(tx.isTransaction, 'an audit entry belongs into the transaction of its action');
  await execute(tx)`
    insert into audit.entry (actor_kind, actor_id, action, subject, before, after, address)
    values (${entry.actor.kind}, ${entry.actor.id}, ${entry.action}, ${entry.subject},
            ${toJson(entry.before)}::jsonb, ${toJson(entry.after)}::jsonb, ${entry.address ?? null})`;
}

/** Ids and amounts are bigint, which JSON does not know: they become decimal text, without loss. */
function toJson(value: unknown): string | null {
  if (value === undefined) return null;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
}
