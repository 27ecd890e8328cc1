import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import type { SandboxEvent } from '../../core/sandbox-invoice.ts';

export type EventRow = {
  id: bigint;
  invoice_id: string;
  order_id: string;
  type: string;
  fields: Record<string, unknown>;
  original_delivery_id: string;
  occurred_at: Date;
  attempts: number;
};

export async function insertEvent(
  tx: Tx,
  row: { invoiceId: string; event: SandboxEvent; deliveryId: string; now: Date },
): Promise<void> {
  await sql`
    insert into funds.invoice_event (invoice_id, type, fields, original_delivery_id, occurred_at, next_attempt_at)
    values (${row.invoiceId}, ${row.event.type}, ${JSON.stringify(row.event.fields)}::jsonb, ${row.deliveryId},
            ${row.now}, ${row.now})`.execute(tx);
}

/**
 * Takes the oldest event that is due and sets when this attempt counts as lost. Two workers never take the same one;
 * one that dies on the way leaves it to the next.
 */
export async function takeDueEvent(
  db: Db,
  filter: { invoiceId: string | undefined; now: Date; lostAt: Date },
): Promise<EventRow | undefined> {
  const { rows } = await sql<EventRow>`
    update funds.invoice_event e set attempts = e.attempts + 1, next_attempt_at = ${filter.lostAt}
    from funds.invoice i
    where i.id = e.invoice_id and e.id = (
      select d.id from funds.invoice_event d
      where d.next_attempt_at <= ${filter.now}
        ${filter.invoiceId === undefined ? sql`` : sql`and d.invoice_id = ${filter.invoiceId}`}
      order by d.id limit 1 for update skip locked)
    returning e.id, e.invoice_id, i.order_id, e.type, e.fields, e.original_delivery_id, e.occurred_at, e.attempts`.execute(
    db,
  );
  return rows[0];
}

export async function updateEvent(
  db: Db,
  row: { id: bigint; answerStatus: number | null; deliveredAt: Date | null; nextAttemptAt: Date | null },
): Promise<void> {
  await sql`
    update funds.invoice_event
    set answer_status = ${row.answerStatus}, delivered_at = ${row.deliveredAt}, next_attempt_at = ${row.nextAttemptAt}
    where id = ${row.id}`.execute(db);
}
