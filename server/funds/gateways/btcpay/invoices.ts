import assert from 'node:assert/strict';
import { Decimal } from 'decimal.js';
import { z } from 'zod';
import type { PayWay } from '#contract/funds/deposits.ts';
import type { Config } from '#server/config.ts';
import { findAtServer, queryServer } from '../call-server.ts';
import type { Invoice, InvoiceOrder, IssuedInvoice } from '../gateway.ts';
import {
  type Btcpay,
  type BtcpayInvoice,
  invoiceShape,
  type PaymentMethod,
  paymentMethodShape,
  toDollars,
  toMicros,
} from './shapes.ts';

/** Dollars per coin, by id of confirmed payment. */
export type FixedRates = ReadonlyMap<string, Decimal>;
export type Rates = (invoice: BtcpayInvoice, methods: readonly PaymentMethod[]) => Promise<FixedRates>;

const atInvoiceRate: Rates = async () => new Map();

/** How long the reconciliation polls for late payments. */
export const MONITORING_MINUTES = 24 * 60;

/**
 * Creates the invoice of a deposit, or finds the one that an interrupted attempt created.
 *
 * Refuses `gateway_unavailable`. An invoice created nevertheless is never shown; the next attempt finds it, or it
 * expires.
 */
export async function createInvoice(
  btcpay: Btcpay,
  publicUrl: string,
  order: InvoiceOrder,
  confirmations: number,
): Promise<IssuedInvoice> {
  const made = (await findEarlier(btcpay, order)) ?? (await issue(btcpay, publicUrl, order, confirmations));
  return { invoice: await readPayments(btcpay, made, atInvoiceRate), payUrl: made.checkoutLink };
}

/** The current invoice at the gateway; undefined also for another store's. */
export async function findInvoice(
  btcpay: Btcpay,
  invoiceId: string,
  rates: Rates = atInvoiceRate,
): Promise<Invoice | undefined> {
  const asked = invoiceShape.refine(({ id }) => id === invoiceId, 'another invoice');
  const invoice = await findAtServer(btcpay, { method: 'GET', path: pathOf(invoiceId) }, asked);
  return invoice === undefined || !isOurs(btcpay, invoice) ? undefined : readPayments(btcpay, invoice, rates);
}

const pathOf = (invoiceId: string) => `/invoices/${encodeURIComponent(invoiceId)}`;
const isOurs = (btcpay: Btcpay, invoice: BtcpayInvoice) =>
  invoice.storeId === btcpay.storeId && invoice.currency === 'USD';

/**
 * Order ids restart in a new database while the store keeps older invoices, so the random reference must match as well.
 * Expired and invalid invoices are skipped, as they can no longer be paid.
 */
async function findEarlier(btcpay: Btcpay, order: InvoiceOrder): Promise<BtcpayInvoice | undefined> {
  const query = { orderId: order.depositId.toString() };
  const path = `/stores/${btcpay.storeId}/invoices`;
  const found = await queryServer(btcpay, { method: 'GET', path, query }, z.array(invoiceShape));
  return found.find(
    (invoice) =>
      isOurs(btcpay, invoice) &&
      invoice.metadata?.orderId === query.orderId &&
      invoice.metadata.reference === order.reference &&
      invoice.status !== 'Expired' &&
      invoice.status !== 'Invalid',
  );
}

/** Confirmations required for an amount: `confirmationsFor([{1, 1000}, {6, Infinity}], 1_000_000_001n)` is 6. */
export function confirmationsFor(steps: Config['bitcoinConfirmations'], amountMicros: bigint): number {
  const step = steps.find(({ upToDollars }) => Number(amountMicros) <= upToDollars * 1_000_000);
  assert(step !== undefined, 'the last step has no limit');
  return step.confirmations;
}

/** The fastest policy with at least as many: BTCPay Server offers one, two and six. */
const speedPolicyOf = (confirmations: number): string =>
  confirmations <= 1 ? 'MediumSpeed' : confirmations === 2 ? 'LowMediumSpeed' : 'LowSpeed';

function issue(btcpay: Btcpay, publicUrl: string, order: InvoiceOrder, confirmations: number): Promise<BtcpayInvoice> {
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
      speedPolicy: speedPolicyOf(confirmations),
      expirationMinutes: order.lifetimeMinutes,
      monitoringMinutes: MONITORING_MINUTES,
      paymentTolerance: 0,
      lazyPaymentMethods: false,
      redirectURL: `${publicUrl}${pendingPath(order)}`,
      redirectAutomatically: true,
    },
  };
  return queryServer(btcpay, { method: 'POST', path: `/stores/${btcpay.storeId}/invoices`, body }, invoiceShape);
}

/** The gateway supports a single return URL; that page shows the deposit's state. */
const pendingPath = (order: InvoiceOrder) => order.returnPath.replace('{status}', 'pending');

/** Fetched after the invoice, so that the payments are never older than its status. */
async function readPayments(btcpay: Btcpay, invoice: BtcpayInvoice, rates: Rates): Promise<Invoice> {
  const path = `${pathOf(invoice.id)}/payment-methods`;
  const methods = await queryServer(btcpay, { method: 'GET', path }, z.array(paymentMethodShape));
  return readInvoice(invoice, methods, await rates(invoice, methods));
}

/**
 * Converts an invoice and its payments. Each payment is valued at its fixed rate, or else the invoice's; the sum is
 * exact and rounded down once: 0.002 BTC at $50,000.55 and a second of 0.001 are $150.00165. Replaced and double-spent
 * payments (`Invalid`) do not count.
 */
export function readInvoice(
  invoice: BtcpayInvoice,
  methods: readonly PaymentMethod[],
  fixed: FixedRates = new Map(),
): Invoice {
  const payments = methods
    .flatMap((method) =>
      method.payments.map((payment) => ({
        ...payment,
        currency: method.currency,
        dollars: payment.value.times(fixed.get(payment.id) ?? method.rate),
      })),
    )
    .filter((payment) => payment.status !== 'Invalid')
    .toSorted((a, b) => a.receivedDate - b.receivedDate);
  const settled = payments.filter((payment) => payment.status === 'Settled');
  return {
    id: invoice.id,
    orderId: String(invoice.metadata?.orderId ?? ''),
    status: invoice.status,
    amountMicros: toMicros(invoice.amount),
    paidMicros: sumMicros(payments),
    settledMicros: sumMicros(settled),
    paymentId: payments[0] ? transactionOf(payments[0].id) : null,
    expiresAt: new Date(invoice.expirationTime * 1000),
    payWays: methods.flatMap(readPayWay),
    coins: coinsOf(payments),
  };
}

/** The id of an on-chain payment is a transaction output: `hash-0`. */
export const transactionOf = (paymentId: string): string => paymentId.split('-')[0] as string;

/** Bitcoin only, even when the store accepts other coins. */
function coinsOf(payments: readonly { currency: string; status: string; value: Decimal; dollars: Decimal }[]) {
  const bitcoin = payments.filter(({ currency }) => currency === 'BTC');
  const settled = bitcoin.filter(({ status }) => status === 'Settled');
  return { units: sumUnits(settled), micros: sumMicros(settled), seen: sumUnits(bitcoin) };
}

const sumUnits = (payments: readonly { value: Decimal }[]) =>
  payments.reduce((sum, { value }) => value.plus(sum), new Decimal(0)).toFixed();

const sumMicros = (payments: readonly { dollars: Decimal }[]) =>
  toMicros(payments.reduce((sum, { dollars }) => dollars.plus(sum), new Decimal(0)));

const labels: Record<string, string> = {
  'BTC-CHAIN': 'Bitcoin',
  'BTC-LN': 'Lightning',
  'BTC-LNURL': 'Lightning (LNURL)',
};

/** Empty for a method that is not activated, or on which nothing is due. */
function readPayWay(method: PaymentMethod): PayWay[] {
  const { destination, paymentLink, paymentMethodId, currency, due } = method;
  if (!method.activated || !destination || !paymentLink || due.lte(0)) return [];
  return [
    {
      label: labels[paymentMethodId] ?? paymentMethodId,
      destination,
      payment_link: paymentLink,
      due: due.toFixed(),
      currency,
    },
  ];
}
