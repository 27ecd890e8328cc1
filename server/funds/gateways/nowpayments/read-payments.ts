import { Decimal } from 'decimal.js';
import type { PayWay } from '#contract/funds/deposits.ts';
import type { InvoiceView } from '../../core/follow-invoice.ts';
import type { Invoice, KnownInvoice } from '../gateway.ts';
import { dollarNetworks, isDollar, isDollarNetwork } from './networks.ts';
import { type Payment, type PaymentStatus, toMicros } from './shapes.ts';

const withoutPayment: readonly PaymentStatus[] = ['waiting', 'expired', 'cancelled', 'canceled', 'failed', 'refunded'];
const confirmed: readonly PaymentStatus[] = ['finished', 'partially_paid'];

const isRefunded = ({ payment_status }: Payment) => payment_status === 'refunded';
const isReversed = (payment: Payment) => payment.payment_status === 'failed' || isRefunded(payment);
const isSeen = ({ payment_status }: Payment) => !withoutPayment.includes(payment_status);
export const isConfirmed = ({ payment_status }: Payment) => confirmed.includes(payment_status);

/**
 * Converts a payment at NOWPayments, and later ones to its address, to an invoice. NOWPayments watches for a week, but
 * the invoice expires with the deposit; a payment first seen after that is late. USDT counts at par.
 *
 * Only the first payment, finished, in full and in the requested coin, is credited automatically. Further payments to
 * the address and other coins need a review: at par if converted to USDT, else without a value. Once money was booked,
 * a stale reply is ignored; only `failed` and `refunded` reverse it, except what operators have refunded.
 *
 * Worked example: 100 requested, `finished` with 120 → `Settled`, 120 settled. `partially_paid` with 60 → `New`, 60
 * settled, then `Expired`. 100 finished and another payment of 40 → 140 settled, 40 of it held.
 */
export function readPayments(
  first: Payment,
  later: readonly Payment[],
  known: KnownInvoice | undefined,
  now: Date,
): Invoice {
  const isMatch = isAsRequested(first, known);
  const mismatched = [...(isMatch || !isSeen(first) ? [] : [first]), ...later.filter(isSeen)];
  const view = viewOf(isMatch ? first : { ...first, payment_status: 'waiting' }, known, now);
  const heldMicros = sum(mismatched.filter(isConfirmed).map(dollarsOf));
  const payments = [first, ...later];
  const reversedMicros = sum(payments.filter(isReversed).map(dollarsOf));
  // One that failed may never have been booked, whatever was refunded of others.
  const refundedMicros = min(sum(payments.filter(isRefunded).map(dollarsOf)), known?.refundedMicros ?? 0n);
  const settledMicros = view.settledMicros + heldMicros + refundedMicros;
  const all: InvoiceView = {
    ...view,
    settledMicros,
    paidMicros: view.paidMicros + sum(mismatched.map(dollarsOf)) + refundedMicros,
    ...(mismatched.length === 0 ? {} : { mismatch: { heldMicros } }),
  };
  const bookedMicros = (known?.bookedMicros ?? 0n) - (reversedMicros - refundedMicros);
  return {
    ...(bookedMicros > 0n && !isReversed(first) ? atLeastBooked(all, bookedMicros) : all),
    id: first.payment_id,
    orderId: first.order_id ?? '',
    paymentId: first.payin_hash || (isConfirmed(first) ? first.payment_id : null),
    expiresAt: known?.expiresAt ?? now,
    payWays: readPayWays(first, view, known),
  };
}

/** In USDT on the chosen network, for a price in dollars. */
function isAsRequested(payment: Payment, known: KnownInvoice | undefined): boolean {
  const isCoin =
    known === undefined || !isDollarNetwork(known.payWith)
      ? isDollar(payment.pay_currency)
      : payment.pay_currency.toLowerCase() === dollarNetworks[known.payWith].currency;
  return isCoin && payment.price_currency.toLowerCase() === 'usd' && !payment.parent_payment_id;
}

/** A reply from before the booking may report less than is booked. */
const atLeastBooked = (view: InvoiceView, bookedMicros: bigint): InvoiceView => ({
  ...view,
  status: 'Settled',
  settledMicros: max(view.settledMicros, bookedMicros),
  paidMicros: max(view.paidMicros, view.settledMicros, bookedMicros),
});

function viewOf(payment: Payment, known: KnownInvoice | undefined, now: Date): InvoiceView {
  const amountMicros = toMicros(payment.pay_amount);
  const arrived = toMicros(payment.actually_paid ?? new Decimal(0));
  const isOpen = known === undefined || now <= known.expiresAt;
  // A payment seen in time counts as in time, however long its confirmation takes.
  const isInTime = isOpen || known.isPending || (!!payment.updated_at && payment.updated_at <= known.expiresAt);
  const base = { amountMicros, paidMicros: 0n, settledMicros: 0n };
  switch (payment.payment_status) {
    case 'waiting':
      return { ...base, status: isOpen ? 'New' : 'Expired' };
    case 'expired':
    case 'cancelled':
    case 'canceled':
      return { ...base, status: 'Expired' };
    case 'failed':
    case 'refunded':
      return { ...base, status: 'Invalid' };
    case 'confirming':
    case 'confirmed':
    case 'sending':
      return { ...base, status: isInTime ? 'Processing' : 'Expired', paidMicros: arrived || amountMicros };
    case 'partially_paid':
      return { ...base, status: isOpen ? 'New' : 'Expired', paidMicros: arrived, settledMicros: arrived };
    case 'finished': {
      const isShort = arrived > 0n && arrived < amountMicros;
      const status = isShort ? (isOpen ? 'New' : 'Expired') : isInTime ? 'Settled' : 'Expired';
      return { ...base, status, paidMicros: arrived, settledMicros: arrived };
    }
  }
}

/** Value of a payment; another coin counts with its outcome when converted to USDT, else 0. */
export function dollarsOf(payment: Payment): bigint {
  if (isDollar(payment.pay_currency)) return toMicros(payment.actually_paid ?? new Decimal(0));
  return isDollar(payment.outcome_currency) ? toMicros(payment.outcome_amount ?? new Decimal(0)) : 0n;
}

/** The address, with the amount due. */
function readPayWays(payment: Payment, { amountMicros, paidMicros }: InvoiceView, known?: KnownInvoice): PayWay[] {
  if (known === undefined || !isDollarNetwork(known.payWith)) return [];
  const due = payment.pay_amount.minus(new Decimal(paidMicros.toString()).div(1_000_000));
  if (paidMicros >= amountMicros || due.lte(0)) return [];
  return [
    {
      label: dollarNetworks[known.payWith].label,
      destination: payment.pay_address,
      payment_link: payment.pay_address,
      due: due.toFixed(),
      currency: 'USDT',
      ...(payment.payin_extra_id ? { memo: payment.payin_extra_id } : {}),
    },
  ];
}

const sum = (parts: readonly bigint[]) => parts.reduce((total, part) => total + part, 0n);
const min = (one: bigint, other: bigint) => (one < other ? one : other);
const max = (...parts: readonly bigint[]) => parts.reduce((most, part) => (part > most ? part : most));
