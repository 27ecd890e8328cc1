import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';

/** Only the system has no id. */
export type Actor =
  | { readonly kind: 'member' | 'operator'; readonly id: bigint }
  | { readonly kind: 'system'; readonly id: null };

export type AuditEntry = {
  readonly actor: Actor;
  /** Domain and verb: `member.change_password`. */
  readonly action: string;
  /** The object of the action: `member:17`. */
  readonly subject: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Network address of the request; absent for jobs. */
  readonly address?: string | undefined;
};

/**
 * Writes an audit entry in the transaction of the action itself (docs/product.md, section 10). `before` and `after`
 * must not contain secrets: people read the log, and entries are never changed.
 */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  assert(tx.isTransaction, 'an audit entry belongs in the transaction of its action');
  await execute(tx)`
    insert into audit.entry (actor_kind, actor_id, action, subject, before, after, address)
    values (${entry.actor.kind}, ${entry.actor.id}, ${entry.action}, ${entry.subject},
            ${toJson(entry.before)}::jsonb, ${toJson(entry.after)}::jsonb, ${entry.address ?? null})`;
}

/** Ids and amounts are bigint, which JSON lacks: they become decimal strings, without loss. */
function toJson(value: unknown): string | null {
  if (value === undefined) return null;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
}
