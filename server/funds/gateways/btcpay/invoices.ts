import { z } from 'zod';
import type { Invoice, InvoiceOrder, IssuedInvoice } from '../gateway.ts';
import { askBtcpay, type Btcpay, findAtBtcpay } from './ask-btcpay.ts';
import { readInvoice } from './read-invoice.ts';
import { type BtcpayInvoice, invoiceShape, paymentMethodShape, toDollars } from './shapes.ts';

/** As long as the reconciliation looks for late payments. */
const MONITORING_MINUTES = 24 * 60;

/**
 * Makes the invoice of a deposit, or finds the one that an earlier try made before it broke off.
 *
 * Refuses `gateway_unavailable`. An invoice that was made all the same is shown to nobody, found by the next try, and
 * expires by itself otherwise.
 */
export async function createInvoice(btcpay: Btcpay, publicUrl: string, order: InvoiceOrder): Promise<IssuedInvoice> {
  const made = (await findEarlier(btcpay, order)) ?? (await issue(btcpay, publicUrl, order));
  return { invoice: await readPayments(btcpay, made), payUrl: made.checkoutLink };
}

/** The invoice as the gateway has it now. Another store's is as unknown as one that does not exist. */
export async function findInvoice(btcpay: Btcpay, invoiceId: string): Promise<Invoice | undefined> {
  const invoice = await findAtBtcpay(btcpay, { method: 'GET', path: pathOf(invoiceId) }, invoiceShape);
  return invoice === undefined || !isOurs(btcpay, invoice) ? undefined : readPayments(btcpay, invoice);
}

const pathOf = (invoiceId: string) => `/invoices/${encodeURIComponent(invoiceId)}`;
const isOurs = (btcpay: Btcpay, invoice: BtcpayInvoice) =>
  invoice.storeId === btcpay.storeId && invoice.currency === 'USD';

/**
 * Order ids begin again in a new database, while the store keeps what an older one asked for: only the same reference,
 * which is random, makes it the invoice of this deposit. One that is over is of no use to the payer.
 */
async function findEarlier(btcpay: Btcpay, order: InvoiceOrder): Promise<BtcpayInvoice | undefined> {
  const query = { orderId: order.depositId.toString() };
  const path = `/stores/${btcpay.storeId}/invoices`;
  const found = await askBtcpay(btcpay, { method: 'GET', path, query }, z.array(invoiceShape));
  return found.find(
    (invoice) =>
      isOurs(btcpay, invoice) &&
      invoice.metadata?.orderId === query.orderId &&
      invoice.metadata.reference === order.reference &&
      invoice.status !== 'Expired' &&
      invoice.status !== 'Invalid',
  );
}

function issue(btcpay: Btcpay, publicUrl: string, order: InvoiceOrder): Promise<BtcpayInvoice> {
  const body = {
    amount: toDollars(order.amountMicros).toFixed(),
    currency: 'USD',
    metadata: {
      orderId: order.depositId.toString(),
      reference: order.reference,
      itemDesc: `Deposit ${order.reference}`,
      orderUrl: `${publicUrl}${pendingPath(order)}`,
    },
    checkout: {
      // Settled with one confirmation.
      speedPolicy: 'MediumSpeed',
      expirationMinutes: order.lifetimeMinutes,
      monitoringMinutes: MONITORING_MINUTES,
      paymentTolerance: 0,
      lazyPaymentMethods: false,
      redirectURL: `${publicUrl}${pendingPath(order)}`,
      redirectAutomatically: true,
    },
  };
  return askBtcpay(btcpay, { method: 'POST', path: `/stores/${btcpay.storeId}/invoices`, body }, invoiceShape);
}

/** The gateway has one way back for every outcome, and the page there shows what the server knows. */
const pendingPath = (order: InvoiceOrder) => order.returnPath.replace('{status}', 'pending');

/** Asked after the state, so that the payments are never older than it. */
async function readPayments(btcpay: Btcpay, invoice: BtcpayInvoice): Promise<Invoice> {
  const path = `${pathOf(invoice.id)}/payment-methods`;
  return readInvoice(invoice, await askBtcpay(btcpay, { method: 'GET', path }, z.array(paymentMethodShape)));
}
