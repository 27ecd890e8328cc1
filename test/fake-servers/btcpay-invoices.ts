import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { Answer } from './serve-json.ts';

export type BtcpayPayment = {
  readonly id: string;
  /** In Bitcoin. */
  readonly value: Decimal;
  /** `Invalid`: replaced or double-spent, so it no longer counts. */
  status: 'Processing' | 'Settled' | 'Invalid';
  readonly receivedAt: number;
  readonly isLate: boolean;
};

export type BtcpayInvoice = {
  readonly id: string;
  readonly storeId: string;
  /** In dollars. */
  readonly amount: Decimal;
  readonly metadata: Record<string, unknown>;
  readonly checkout: Record<string, unknown>;
  /** The price of a Bitcoin in dollars, fixed for the life of the invoice. */
  readonly rate: Decimal;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly monitoredUntil: number;
  readonly payments: BtcpayPayment[];
  status: 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid';
  additionalStatus: 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'Invalid' | 'PaidOver';
};

/** An event of an invoice, before it becomes a webhook body. */
export type BtcpayEvent = {
  /** The id of the first delivery. */
  readonly id: string;
  readonly type: string;
  readonly invoiceId: string;
  readonly metadata: Record<string, unknown>;
  /** Fields of this event type only. */
  readonly fields: Record<string, unknown>;
  readonly occurredAt: number;
};

export type InvoiceStore = {
  readonly storeId: string;
  /** The gateway's own URL, for checkout links. */
  url: string;
  /** In milliseconds. */
  now: () => number;
  /** The price of a Bitcoin in dollars, for new invoices and payouts. */
  rate: string;
  readonly invoices: Map<string, BtcpayInvoice>;
  /** Oldest first. */
  readonly events: BtcpayEvent[];
};

export const makeId = (): string => randomBytes(16).toString('base64url').replaceAll(/[-_]/g, 'x');

export const showMoved = (transactionHash: string, amount: string, timestamp: number) => ({
  transactionHash,
  amount,
  timestamp,
  blockHeight: 1,
  confirmations: 1,
  status: 'Confirmed',
});
const seconds = (books: InvoiceStore) => Math.floor(books.now() / 1000);

export function getInvoice(books: InvoiceStore, invoiceId: string): BtcpayInvoice {
  const invoice = books.invoices.get(invoiceId);
  assert(invoice !== undefined, `no invoice ${invoiceId}`);
  return invoice;
}

/** The dollar total of valid payments, or of those with one status. */
export function paidDollars(invoice: BtcpayInvoice, status?: BtcpayPayment['status']): Decimal {
  return invoice.payments
    .filter((payment) => (status === undefined ? payment.status !== 'Invalid' : payment.status === status))
    .reduce((sum, payment) => sum.plus(payment.value.times(invoice.rate)), new Decimal(0));
}

/** A payment is seen. The payer's wallet rounds up to a whole satoshi. */
export function payInvoice(books: InvoiceStore, invoiceId: string, dollars: number | string): BtcpayPayment {
  const invoice = getInvoice(books, invoiceId);
  const payment: BtcpayPayment = {
    id: `${randomBytes(32).toString('hex')}-0`,
    value: new Decimal(dollars).div(invoice.rate).toDecimalPlaces(8, Decimal.ROUND_UP),
    status: 'Processing',
    receivedAt: seconds(books),
    isLate: invoice.status === 'Expired',
  };
  invoice.payments.push(payment);
  tellPayment(books, invoice, 'InvoiceReceivedPayment', payment);
  watch(books, invoice);
  return payment;
}

/** Confirms the pending payments. */
export function confirmPayments(books: InvoiceStore, invoiceId: string): void {
  const invoice = getInvoice(books, invoiceId);
  for (const payment of invoice.payments) {
    if (payment.status !== 'Processing') continue;
    payment.status = 'Settled';
    tellPayment(books, invoice, 'InvoicePaymentSettled', payment);
  }
  watch(books, invoice);
}

/** The pending payments are double-spent and vanish, without an event. */
export function replacePayments(books: InvoiceStore, invoiceId: string): void {
  const invoice = getInvoice(books, invoiceId);
  for (const payment of invoice.payments) if (payment.status === 'Processing') payment.status = 'Invalid';
  watch(books, invoice);
}

/** The payment window ends. Only an unpaid invoice expires. */
export function expireInvoice(books: InvoiceStore, invoiceId: string): void {
  const invoice = getInvoice(books, invoiceId);
  if (invoice.status !== 'New') return;
  const partiallyPaid = paidDollars(invoice).gt(0);
  invoice.status = 'Expired';
  invoice.additionalStatus = partiallyPaid ? 'PaidPartial' : 'None';
  tell(books, invoice, 'InvoiceExpired', { partiallyPaid });
  if (partiallyPaid) tell(books, invoice, 'InvoiceExpiredPaidPartial', {});
}

/** The monitoring period for confirmations ends. */
export function endMonitoring(books: InvoiceStore, invoiceId: string): void {
  const invoice = getInvoice(books, invoiceId);
  if (invoice.status !== 'Processing') return;
  invoice.status = 'Invalid';
  tell(books, invoice, 'InvoiceInvalid', { manuallyMarked: false });
}

/** Marked by hand at the gateway. */
export function markInvoice(books: InvoiceStore, invoiceId: string, status: 'Settled' | 'Invalid'): void {
  const invoice = getInvoice(books, invoiceId);
  if (!manualStatuses(invoice).includes(status)) return;
  invoice.status = status;
  invoice.additionalStatus = 'Marked';
  const overPaid = status === 'Settled' ? { overPaid: isOver(invoice) } : {};
  tell(books, invoice, `Invoice${status}`, { manuallyMarked: true, ...overPaid });
}

const manualStatuses = (invoice: BtcpayInvoice): string[] =>
  ['Settled', 'Invalid'].filter((status) => status !== invoice.status);
const isOver = (invoice: BtcpayInvoice) => paidDollars(invoice).gt(invoice.amount);

/** What the gateway does after every change. */
function watch(books: InvoiceStore, invoice: BtcpayInvoice): void {
  const isPaid = paidDollars(invoice).gte(invoice.amount);
  if (invoice.status === 'New' && isPaid) {
    invoice.status = 'Processing';
    invoice.additionalStatus = isOver(invoice) ? 'PaidOver' : 'None';
    tell(books, invoice, 'InvoiceProcessing', { overPaid: isOver(invoice) });
  }
  if (invoice.status === 'Processing' && !isPaid) invoice.status = 'New';
  if (invoice.status === 'Processing' && paidDollars(invoice, 'Settled').gte(invoice.amount)) {
    invoice.status = 'Settled';
    tell(books, invoice, 'InvoiceSettled', { manuallyMarked: false, overPaid: isOver(invoice) });
  }
  if (invoice.status === 'Expired' && isPaid && invoice.additionalStatus !== 'PaidLate') {
    invoice.additionalStatus = 'PaidLate';
    tell(books, invoice, 'InvoicePaidAfterExpiration', {});
  }
}

function tellPayment(books: InvoiceStore, invoice: BtcpayInvoice, type: string, payment: BtcpayPayment): void {
  tell(books, invoice, type, {
    afterExpiration: payment.isLate,
    paymentMethodId: 'BTC-CHAIN',
    payment: showPayment(invoice, payment),
  });
}

function tell(books: InvoiceStore, invoice: BtcpayInvoice, type: string, fields: Record<string, unknown>): void {
  const { id, metadata } = invoice;
  books.events.push({ id: makeId(), type, invoiceId: id, metadata, fields, occurredAt: seconds(books) });
}

// ---- as the API shows and accepts them ----

type InvoiceRequest = {
  amount?: unknown;
  currency?: unknown;
  metadata?: Record<string, unknown>;
  checkout?: { expirationMinutes?: number; monitoringMinutes?: number };
};

export function createInvoice(books: InvoiceStore, request: InvoiceRequest): Answer {
  if (typeof request.amount !== 'string' || !/^\d+(\.\d+)?$/.test(request.amount) || request.currency !== 'USD') {
    return { status: 400, body: [{ path: 'amount', message: 'The amount must be a decimal as text, in USD' }] };
  }
  const createdAt = seconds(books);
  const { expirationMinutes = 15, monitoringMinutes = 1440 } = request.checkout ?? {};
  const expiresAt = createdAt + expirationMinutes * 60;
  const invoice: BtcpayInvoice = {
    id: makeId(),
    storeId: books.storeId,
    // Dollar prices have two decimals.
    amount: new Decimal(request.amount).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN),
    metadata: request.metadata ?? {},
    checkout: request.checkout ?? {},
    rate: new Decimal(books.rate),
    createdAt,
    expiresAt,
    monitoredUntil: expiresAt + monitoringMinutes * 60,
    payments: [],
    status: 'New',
    additionalStatus: 'None',
  };
  books.invoices.set(invoice.id, invoice);
  tell(books, invoice, 'InvoiceCreated', {});
  return { status: 200, body: showInvoice(books, invoice) };
}

export function listInvoices(books: InvoiceStore, query: URLSearchParams): Answer {
  const orderIds = query.getAll('orderId');
  const [from, to] = [Number(query.get('startDate') ?? 0), Number(query.get('endDate') ?? Number.POSITIVE_INFINITY)];
  const found = [...books.invoices.values()].filter(
    ({ metadata, createdAt }) =>
      (orderIds.length === 0 || orderIds.includes(String(metadata.orderId))) && createdAt >= from && createdAt <= to,
  );
  const [skip, take] = [Number(query.get('skip') ?? 0), Number(query.get('take') ?? found.length)];
  const page = found.toReversed().slice(skip, skip + take);
  return { status: 200, body: page.map((invoice) => showInvoice(books, invoice)) };
}

/** On-chain payments as the wallet lists them once confirmed. */
export const listReceived = (books: InvoiceStore) =>
  [...books.invoices.values()].flatMap(({ payments }) =>
    payments
      .filter(({ status }) => status === 'Settled')
      .map(({ id, value, receivedAt }) => showMoved(id.split('-')[0] as string, value.toFixed(), receivedAt)),
  );

export function showInvoice(books: InvoiceStore, invoice: BtcpayInvoice): Record<string, unknown> {
  return {
    id: invoice.id,
    storeId: invoice.storeId,
    amount: invoice.amount.toFixed(2),
    paidAmount: paidDollars(invoice).toFixed(2),
    currency: 'USD',
    type: 'Standard',
    checkoutLink: `${books.url}/i/${invoice.id}`,
    createdTime: invoice.createdAt,
    expirationTime: invoice.expiresAt,
    monitoringExpiration: invoice.monitoredUntil,
    status: invoice.status,
    additionalStatus: invoice.additionalStatus,
    availableStatusesForManualMarking: manualStatuses(invoice),
    archived: false,
    metadata: invoice.metadata,
    checkout: invoice.checkout,
    receipt: { enabled: null, showQR: null, showPayments: null },
  };
}

/** Bitcoin and Lightning, without invalid payments, as the API returns by default. */
export function showPaymentMethods(invoice: BtcpayInvoice): unknown[] {
  const payments = invoice.payments.filter((payment) => payment.status !== 'Invalid');
  const price = invoice.amount.div(invoice.rate).toDecimalPlaces(8, Decimal.ROUND_UP);
  const paid = payments.reduce((sum, payment) => sum.plus(payment.value), new Decimal(0));
  const due = price.minus(paid).toFixed(8);
  const row = (paymentMethodId: string, destination: string, paymentLink: string, isChain: boolean) => ({
    paymentMethodId,
    currency: 'BTC',
    destination,
    paymentLink,
    rate: invoice.rate.toString(),
    paymentMethodPaid: isChain ? paid.toFixed(8) : '0.0',
    totalPaid: paid.toFixed(8),
    due,
    amount: price.toFixed(8),
    paymentMethodFee: '0.0',
    payments: isChain ? payments.map((payment) => showPayment(invoice, payment)) : [],
    activated: true,
    additionalData: {},
  });
  const address = addressOf(invoice);
  return [
    row('BTC-CHAIN', address, `bitcoin:${address}?amount=${due}`, true),
    row('BTC-LN', `lnbc${invoice.id.toLowerCase()}`, `lightning:lnbc${invoice.id.toLowerCase()}`, false),
  ];
}

const showPayment = (invoice: BtcpayInvoice, payment: BtcpayPayment) => ({
  id: payment.id,
  receivedDate: payment.receivedAt,
  value: payment.value.toFixed(8),
  fee: '0.0',
  status: payment.status,
  destination: addressOf(invoice),
});

const addressOf = (invoice: BtcpayInvoice): string =>
  `bc1q${createHash('sha256').update(invoice.id).digest('hex').slice(0, 38)}`;
