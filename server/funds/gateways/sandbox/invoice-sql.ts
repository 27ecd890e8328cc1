import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
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

export async function insertInvoice(tx: Tx, row: InvoiceRow): Promise<void> {
  await sql`
    insert into funds.invoice (${columns})
    values (${row.id}, ${row.token}, ${row.order_id}, ${row.reference}, ${row.amount_micros}, ${row.return_path},
            ${row.status}, ${row.additional_status}, ${row.created_at}, ${row.expires_at})`.execute(tx);
}

export async function findInvoiceById(db: Db, id: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select ${columns} from funds.invoice where id = ${id}`.execute(db);
  return rows[0];
}

export async function findInvoiceByToken(db: Db, token: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select ${columns} from funds.invoice where token = ${token}`.execute(db);
  return rows[0];
}

/** The newest of an order: an older one was never shown to anybody. */
export async function findInvoiceByOrder(db: Db, orderId: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`
    select ${columns} from funds.invoice where order_id = ${orderId} order by created_at desc limit 1`.execute(db);
  return rows[0];
}

export async function lockInvoice(tx: Tx, id: string): Promise<InvoiceRow | undefined> {
  const { rows } = await sql<InvoiceRow>`select ${columns} from funds.invoice where id = ${id} for update`.execute(tx);
  return rows[0];
}

export async function updateInvoiceStatus(
  tx: Tx,
  id: string,
  status: InvoiceStatus,
  additionalStatus: AdditionalStatus,
): Promise<void> {
  await sql`
    update funds.invoice set status = ${status}, additional_status = ${additionalStatus} where id = ${id}`.execute(tx);
}

/** Waiting invoices whose hour is over. */
export async function listExpiredIds(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from funds.invoice where status = 'New' and expires_at <= ${now} order by expires_at limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/** Invoices with a payment that has waited for confirmation since before the given time. */
export async function listUnconfirmedIds(db: Db, receivedBefore: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ invoice_id: string }>`
    select distinct invoice_id from funds.invoice_payment
    where status = 'Processing' and received_at <= ${receivedBefore} limit ${limit}`.execute(db);
  return rows.map((row) => row.invoice_id);
}

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

export async function insertPayment(tx: Tx, invoiceId: string, payment: SandboxPayment): Promise<void> {
  await sql`
    insert into funds.invoice_payment (id, invoice_id, amount_micros, status, after_expiration, received_at)
    values (${payment.id}, ${invoiceId}, ${payment.amountMicros}, ${payment.status}, ${payment.afterExpiration},
            ${payment.receivedAt})`.execute(tx);
}

/** All payments of an invoice that wait for confirmation. */
export async function updatePayments(tx: Tx, invoiceId: string, status: 'Settled' | 'Invalid'): Promise<void> {
  await sql`
    update funds.invoice_payment set status = ${status}
    where invoice_id = ${invoiceId} and status = 'Processing'`.execute(tx);
}

export async function findStoredSecret(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ secret: string }>`select secret from funds.sandbox_secret`.execute(db);
  return rows[0]?.secret;
}

/** The first to store one wins. */
export async function insertSecret(db: Db, secret: string): Promise<void> {
  await sql`insert into funds.sandbox_secret (secret) values (${secret}) on conflict (only_row) do nothing`.execute(db);
}
