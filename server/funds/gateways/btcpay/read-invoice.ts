import { Decimal } from 'decimal.js';
import type { PayWay } from '#contract/funds/deposits.ts';
import type { Invoice } from '../gateway.ts';
import { type BtcpayInvoice, type PaymentMethod, toMicros } from './shapes.ts';

/**
 * An invoice and its payments as deposits know them. What was paid is each payment's value at the rate that the gateway
 * fixed for this invoice, summed exactly and rounded down once: 0.002 BTC at $50,000.55 and a second of 0.001 are
 * $150.00165. Payments that were replaced or spent twice (`Invalid`) do not count.
 */
export function readInvoice(invoice: BtcpayInvoice, methods: readonly PaymentMethod[]): Invoice {
  const payments = methods
    .flatMap((method) => method.payments.map((payment) => ({ ...payment, dollars: payment.value.times(method.rate) })))
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
    paymentId: payments[0]?.id ?? null,
    expiresAt: new Date(invoice.expirationTime * 1000),
    payWays: methods.flatMap(readPayWay),
  };
}

const sumMicros = (payments: readonly { dollars: Decimal }[]) =>
  toMicros(payments.reduce((sum, { dollars }) => dollars.plus(sum), new Decimal(0)));

const labels: Record<string, string> = {
  'BTC-CHAIN': 'Bitcoin',
  'BTC-LN': 'Lightning',
  'BTC-LNURL': 'Lightning (LNURL)',
};

/** Nothing for a way that is not set up yet, or on which nothing is due. */
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
