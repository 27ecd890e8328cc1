import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { expireInvoice, type InvoiceChange, type SandboxInvoice } from '../../core/sandbox-invoice.ts';
import { insertEvent } from './deliver-events.ts';
import { findInvoiceById, type InvoiceRow, listPayments, lockInvoice, updateInvoiceStatus } from './invoice-sql.ts';

export type Found = { readonly row: InvoiceRow; readonly invoice: SandboxInvoice };

export async function readInvoice(db: Db, row: InvoiceRow): Promise<Found> {
  const payments = await listPayments(db, row.id);
  const invoice = {
    status: row.status,
    additionalStatus: row.additional_status,
    amountMicros: row.amount_micros,
    payments,
  };
  return { row, invoice };
}

/** Locks the invoice and expires it if due, so that every change starts from its current state. */
export async function lockCurrent(context: Context, tx: Tx, invoiceId: string): Promise<Found> {
  const row = await lockInvoice(tx, invoiceId);
  assert(row !== undefined, 'invoices are never deleted');
  const found = await readInvoice(tx, row);
  const isOver = context.now() >= row.expires_at;
  const expired = isOver ? expireInvoice(found.invoice) : undefined;
  return expired === undefined ? found : changed(context, tx, found, expired);
}

/** The current invoice. Locks and writes only when it is due to expire. */
export async function expireIfDue(context: Context, invoiceId: string): Promise<Found> {
  const row = await findInvoiceById(context.db, invoiceId);
  assert(row !== undefined, 'invoices are never deleted');
  const isDue = row.status === 'New' && context.now() >= row.expires_at;
  if (isDue) return inTransaction(context.db, (tx) => lockCurrent(context, tx, invoiceId));
  return readInvoice(context.db, row);
}

export async function changed(context: Context, tx: Tx, found: Found, change: InvoiceChange): Promise<Found> {
  await changeInvoice(context, tx, found.row.id, change);
  const { status, additionalStatus } = change;
  return readInvoice(tx, { ...found.row, status, additional_status: additionalStatus });
}

/** Writes the new state and its events in one transaction, so that only committed changes are announced. */
export async function changeInvoice(context: Context, tx: Tx, invoiceId: string, change: InvoiceChange): Promise<void> {
  await updateInvoiceStatus(tx, invoiceId, change.status, change.additionalStatus);
  for (const event of change.events) {
    await insertEvent(tx, { invoiceId, event, deliveryId: randomBytes(16).toString('base64url'), now: context.now() });
  }
}
