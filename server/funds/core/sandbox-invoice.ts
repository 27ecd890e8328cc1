import { writeDollars } from '#contract/money.ts';
import type { InvoiceStatus, InvoiceView } from './follow-invoice.ts';

/**
 * Rules of the sandbox gateway's invoices, modelled on the state machine of BTCPay Server. Deposits do not depend on
 * them; they only see the invoice that the gateway reports.
 */
export type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'PaidOver';

export type SandboxPayment = {
  readonly id: string;
  readonly amountMicros: bigint;
  readonly status: 'Processing' | 'Settled' | 'Invalid';
  readonly afterExpiration: boolean;
  readonly receivedAt: Date;
};

export type SandboxInvoice = {
  readonly status: InvoiceStatus;
  readonly additionalStatus: AdditionalStatus;
  readonly amountMicros: bigint;
  readonly payments: readonly SandboxPayment[];
};

/** A webhook event; `fields` are those specific to its type at BTCPay. */
export type SandboxEvent = { readonly type: string; readonly fields: Record<string, unknown> };

export type InvoiceChange = {
  readonly status: InvoiceStatus;
  readonly additionalStatus: AdditionalStatus;
  readonly events: readonly SandboxEvent[];
};

/**
 * Choices of the payment page: the five of docs/product.md, section 4, a payment that is never confirmed, and paying a
 * closed invoice again.
 */
export const sandboxChoices = ['full', 'less', 'more', 'late', 'expire', 'fail', 'again'] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

const CENT = 10_000n;
const MAX_MICROS = 1_000_000_000_000n;

/** The invoice as the gateway reports it: the total paid, and its confirmed part. */
export function viewOf(invoice: SandboxInvoice): InvoiceView {
  return {
    status: invoice.status,
    amountMicros: invoice.amountMicros,
    paidMicros: sum(invoice.payments.filter((payment) => payment.status !== 'Invalid')),
    settledMicros: sum(invoice.payments.filter((payment) => payment.status === 'Settled')),
  };
}

/** Amount still to pay, at least 0. */
export function dueMicros(invoice: SandboxInvoice): bigint {
  const left = invoice.amountMicros - viewOf(invoice).paidMicros;
  return left > 0n ? left : 0n;
}

/**
 * The amount that a choice pays, or what is wrong: the choice in the invoice's state, or the given amount. Of $100 due,
 * full pays 100, less 50 and more 120, unless an amount is given. Paying again is a separate choice, so that a double
 * click does not pay twice.
 */
export function amountOf(
  choice: SandboxChoice,
  invoice: SandboxInvoice,
  givenMicros?: bigint,
): bigint | 'choice' | 'amount' {
  const due = dueMicros(invoice);
  const isWaiting = invoice.status === 'New';
  const isClosed = !isWaiting && invoice.status !== 'Processing';
  if (choice === 'again') return isClosed ? (due > 0n ? due : invoice.amountMicros) : 'choice';
  if (!isWaiting) return 'choice';
  switch (choice) {
    case 'less':
      return between(givenMicros ?? toCents(due / 2n), 1n, due - 1n);
    case 'more':
      return between(givenMicros ?? due + toCents(invoice.amountMicros / 5n), due + 1n, MAX_MICROS);
    case 'expire':
      return 0n;
    default:
      return due;
  }
}

/** Records an unconfirmed payment. A fully paid invoice no longer expires. */
export function receivePayment(invoice: SandboxInvoice, payment: SandboxPayment): InvoiceChange {
  const events = [paymentEvent('InvoiceReceivedPayment', payment)];
  const after = { ...invoice, payments: [...invoice.payments, payment] };
  const isPaid = invoice.status === 'New' && dueMicros(after) === 0n;
  if (!isPaid) return { status: invoice.status, additionalStatus: invoice.additionalStatus, events };
  const processing = { type: 'InvoiceProcessing', fields: { overPaid: isOver(after) } };
  return {
    status: 'Processing',
    additionalStatus: isOver(after) ? 'PaidOver' : 'None',
    events: [...events, processing],
  };
}

/** Confirms the pending payments. */
export function confirmPayments(invoice: SandboxInvoice): InvoiceChange {
  const confirmed = invoice.payments
    .filter((payment) => payment.status === 'Processing')
    .map((payment): SandboxPayment => ({ ...payment, status: 'Settled' }));
  const events = confirmed.map((payment) => paymentEvent('InvoicePaymentSettled', payment));
  const { status, additionalStatus } = invoice;
  if (status === 'Processing') {
    const settled = { type: 'InvoiceSettled', fields: { manuallyMarked: false, overPaid: isOver(invoice) } };
    return { status: 'Settled', additionalStatus, events: [...events, settled] };
  }
  const isPaidLate = status === 'Expired' && dueMicros(invoice) === 0n && additionalStatus !== 'PaidLate';
  if (isPaidLate) {
    return {
      status,
      additionalStatus: 'PaidLate',
      events: [...events, { type: 'InvoicePaidAfterExpiration', fields: {} }],
    };
  }
  const isPaidOver = status === 'Settled' && isOver(invoice);
  const isPaidPartly = status === 'Expired' && additionalStatus === 'None' && invoice.payments.length > 0;
  return {
    status,
    additionalStatus: isPaidOver ? 'PaidOver' : isPaidPartly ? 'PaidPartial' : additionalStatus,
    events,
  };
}

/** Expires the invoice; only a new one can expire. */
export function expireInvoice(invoice: SandboxInvoice): InvoiceChange | undefined {
  if (invoice.status !== 'New') return undefined;
  const partiallyPaid = viewOf(invoice).paidMicros > 0n;
  const expired = { type: 'InvoiceExpired', fields: { partiallyPaid } };
  const partial = { type: 'InvoiceExpiredPaidPartial', fields: {} };
  return {
    status: 'Expired',
    additionalStatus: partiallyPaid ? 'PaidPartial' : 'None',
    events: partiallyPaid ? [expired, partial] : [expired],
  };
}

/** Invalidates an invoice whose payments are never confirmed. Settled payments stay settled. */
export function invalidateInvoice(invoice: SandboxInvoice): InvoiceChange | undefined {
  if (invoice.status !== 'Processing') return undefined;
  return {
    status: 'Invalid',
    additionalStatus: 'None',
    events: [{ type: 'InvoiceInvalid', fields: { manuallyMarked: false } }],
  };
}

/** The return page of the payer, which then shows the deposit's state. */
export function outcomeOf(invoice: SandboxInvoice): 'success' | 'pending' | 'failed' | 'cancelled' {
  if (invoice.status === 'Settled') return 'success';
  if (invoice.status === 'Invalid') return 'failed';
  if (invoice.status === 'Expired' && viewOf(invoice).paidMicros === 0n) return 'cancelled';
  return 'pending';
}

function paymentEvent(type: string, payment: SandboxPayment): SandboxEvent {
  const seconds = Math.floor(payment.receivedAt.getTime() / 1000);
  const value = writeDollars(payment.amountMicros);
  return {
    type,
    fields: {
      afterExpiration: payment.afterExpiration,
      paymentMethodId: 'SANDBOX-USD',
      payment: {
        id: payment.id,
        receivedDate: seconds,
        value,
        fee: '0.0',
        status: payment.status,
        destination: 'sandbox',
      },
    },
  };
}

const isOver = (invoice: SandboxInvoice) => viewOf(invoice).paidMicros > invoice.amountMicros;
const sum = (payments: readonly SandboxPayment[]) =>
  payments.reduce((total, payment) => total + payment.amountMicros, 0n);
const toCents = (micros: bigint) => (micros / CENT) * CENT;
const between = (micros: bigint, least: bigint, most: bigint) =>
  micros >= least && micros <= most ? micros : 'amount';
