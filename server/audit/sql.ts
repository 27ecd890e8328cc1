import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

type Row = {
  readonly actor: { readonly kind: string; readonly id: bigint | null };
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly address?: string;
};

export async function insertEntry(tx: Tx, row: Row): Promise<void> {
  await sql`
    insert into audit.entry (actor_kind, actor_id, action, subject, before, after, address)
    values (${row.actor.kind}, ${row.actor.id}, ${row.action}, ${row.subject},
            ${row.before}::jsonb, ${row.after}::jsonb, ${row.address ?? null})`.execute(tx);
}
