import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, listValues } from '#server/db/rows.ts';
import type { InvoiceStatus } from '../../core/follow-invoice.ts';
import type { AdditionalStatus, SandboxPayment } from '../../core/sandbox-invoice.ts';

export type InvoiceRow = {
  id: string;
  token: string;
  order_id: string;
  reference: string;
  amount_micros: bigint;
  return_path: string;
  status: InvoiceStatus;
  additional_status: AdditionalStatus;
  created_at: Date;
  expires_at: Date;
};

type PaymentRow = {
  id: string;
  amount_micros: bigint;
  status: SandboxPayment['status'];
  after_expiration: boolean;
  received_at: Date;
};

const columns = sql`id, token, order_id, reference, amount_micros, return_path, status, additional_status, created_at, expires_at`;

export const insertInvoice = (tx: Tx, row: InvoiceRow) =>
  execute(tx)`
    insert into funds.invoice (${columns})
    values (${row.id}, ${row.token}, ${row.order_id}, ${row.reference}, ${row.amount_micros}, ${row.return_path},
            ${row.status}, ${row.additional_status}, ${row.created_at}, ${row.expires_at})`;

export const findInvoiceById = (db: Db, id: string) =>
  findRow(db)<InvoiceRow>`select ${columns} from funds.invoice where id = ${id}`;

export const findInvoiceByToken = (db: Db, token: string) =>
  findRow(db)<InvoiceRow>`select ${columns} from funds.invoice where token = ${token}`;

/** The newest of an order; older ones were never shown. */
export const findInvoiceByOrder = (db: Db, orderId: string) =>
  findRow(db)<InvoiceRow>`
    select ${columns} from funds.invoice where order_id = ${orderId} order by created_at desc limit 1`;

export const lockInvoice = (tx: Tx, id: string) =>
  findRow(tx)<InvoiceRow>`select ${columns} from funds.invoice where id = ${id} for update`;

export const updateInvoiceStatus = (tx: Tx, id: string, status: InvoiceStatus, additionalStatus: AdditionalStatus) =>
  execute(tx)`
    update funds.invoice set status = ${status}, additional_status = ${additionalStatus} where id = ${id}`;

/** New invoices that are due to expire. */
export const listExpiredIds = (db: Db, now: Date, limit: number) =>
  listValues(db)<string>`
    select id from funds.invoice where status = 'New' and expires_at <= ${now} order by expires_at limit ${limit}`;

/** Invoices with an unconfirmed payment received at or before `receivedBefore`. */
export const listUnconfirmedIds = (db: Db, receivedBefore: Date, limit: number) =>
  listValues(db)<string>`
    select distinct invoice_id from funds.invoice_payment
    where status = 'Processing' and received_at <= ${receivedBefore} limit ${limit}`;

export async function listPayments(db: Db, invoiceId: string): Promise<SandboxPayment[]> {
  const { rows } = await sql<PaymentRow>`
    select id, amount_micros, status, after_expiration, received_at from funds.invoice_payment
    where invoice_id = ${invoiceId} order by received_at, id`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    amountMicros: row.amount_micros,
    status: row.status,
    afterExpiration: row.after_expiration,
    receivedAt: row.received_at,
  }));
}

export const insertPayment = (tx: Tx, invoiceId: string, payment: SandboxPayment) =>
  execute(tx)`
    insert into funds.invoice_payment (id, invoice_id, amount_micros, status, after_expiration, received_at)
    values (${payment.id}, ${invoiceId}, ${payment.amountMicros}, ${payment.status}, ${payment.afterExpiration},
            ${payment.receivedAt})`;

/** Updates all unconfirmed payments of an invoice. */
export const updatePayments = (tx: Tx, invoiceId: string, status: 'Settled' | 'Invalid') =>
  execute(tx)`
    update funds.invoice_payment set status = ${status}
    where invoice_id = ${invoiceId} and status = 'Processing'`;

export const findStoredSecret = (db: Db) => findValue(db)<string>`select secret from funds.sandbox_secret`;

/** Keeps an existing secret. */
export const insertSecret = (db: Db, secret: string) =>
  execute(db)`insert into funds.sandbox_secret (secret) values (${secret}) on conflict (only_row) do nothing`;
