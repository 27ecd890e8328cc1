import type { Db } from '#server/db/connect.ts';
import { execute, listValues } from '#server/db/rows.ts';

const gateway = 'nowpayments';

/** Idempotent. */
export const insertRedeposit = (db: Db, row: { paymentId: string; invoiceId: string; now: Date }) =>
  execute(db)`
    insert into funds.redeposit (gateway, payment_id, invoice_id, told_at)
    values (${gateway}, ${row.paymentId}, ${row.invoiceId}, ${row.now})
    on conflict (gateway, payment_id) do nothing`;

export const listRedeposits = (db: Db, invoiceId: string) =>
  listValues(db)<string>`
    select payment_id from funds.redeposit where gateway = ${gateway} and invoice_id = ${invoiceId} order by payment_id`;
