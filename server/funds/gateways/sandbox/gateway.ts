import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { viewOf } from '../../core/sandbox-invoice.ts';
import { isSignedBy, signatureHeader } from '../../deposits/webhook-signature.ts';
import type { Gateway, GatewayEvent, Invoice, InvoiceOrder, IssuedInvoice, WebhookHeaders } from '../gateway.ts';
import { readBody } from '../read-body.ts';
import { changeInvoice, expireIfDue } from './change-invoice.ts';
import { getSandboxSecret } from './deliver-events.ts';
import { findInvoiceById, insertInvoice } from './invoice-sql.ts';
import { sandboxPayouts } from './payouts.ts';

/**
 * The built-in gateway. It moves no real money but is isolated like a real one: it has its own tables, does not access
 * members or the ledger, and notifies us only by signed events.
 */
export function sandboxGateway(context: Context): Gateway {
  return {
    name: 'sandbox',
    payWith: [],
    watchedHours: 24,
    createInvoice: (order) => createInvoice(context, order),
    findInvoice: (invoiceId) => findInvoice(context, invoiceId),
    readEvent: (rawBody, headers) => readEvent(context, rawBody, headers),
    ...sandboxPayouts(context),
    reportBalance: async () => undefined,
  };
}

async function createInvoice(context: Context, order: InvoiceOrder): Promise<IssuedInvoice> {
  const now = context.now();
  const id = randomBytes(16).toString('base64url');
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + order.lifetimeMinutes * 60_000);
  await inTransaction(context.db, async (tx) => {
    await insertInvoice(tx, {
      id,
      token,
      order_id: order.depositId.toString(),
      reference: order.reference,
      amount_micros: order.amountMicros,
      return_path: order.returnPath,
      status: 'New',
      additional_status: 'None',
      created_at: now,
      expires_at: expiresAt,
    });
    await changeInvoice(context, tx, id, {
      status: 'New',
      additionalStatus: 'None',
      events: [{ type: 'InvoiceCreated', fields: {} }],
    });
  });
  const invoice: Invoice = {
    id,
    status: 'New',
    amountMicros: order.amountMicros,
    paidMicros: 0n,
    settledMicros: 0n,
    paymentId: null,
    expiresAt,
    orderId: order.depositId.toString(),
    payWays: [],
  };
  return { invoice, payUrl: `${context.config.publicUrl ?? ''}/sandbox/pay/${token}` };
}

/** Expires a due invoice on read, so that it is never reported as payable too long. */
async function findInvoice(context: Context, invoiceId: string): Promise<Invoice | undefined> {
  if ((await findInvoiceById(context.db, invoiceId)) === undefined) return undefined;
  const { row, invoice } = await expireIfDue(context, invoiceId);
  const first = invoice.payments.find((payment) => payment.status !== 'Invalid');
  return {
    id: row.id,
    ...viewOf(invoice),
    paymentId: first?.id ?? null,
    expiresAt: row.expires_at,
    orderId: row.order_id,
    payWays: [],
  };
}

/** Loose, as for a real gateway; only these two fields are read. */
const name = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/);
const eventShape = z.looseObject({ type: name, invoiceId: name });

async function readEvent(context: Context, rawBody: Buffer, headers: WebhookHeaders): Promise<GatewayEvent> {
  const secrets = [await getSandboxSecret(context), context.config.sandboxSecretBefore ?? []].flat();
  if (!isSignedBy(secrets, rawBody, headers[signatureHeader])) throw new Refused('bad_signature');
  const { type, invoiceId } = readBody(rawBody, eventShape);
  return { type, invoiceId };
}
