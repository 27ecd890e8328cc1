import { Decimal } from 'decimal.js';
import type { PayWay } from '#contract/funds/deposits.ts';
import type { InvoiceView } from '../../core/follow-invoice.ts';
import type { Invoice, KnownInvoice } from '../gateway.ts';
import { dollarNetworks, isDollar, isDollarNetwork } from './networks.ts';
import { type Payment, type PaymentStatus, toMicros } from './shapes.ts';

const none: readonly PaymentStatus[] = ['waiting', 'expired', 'cancelled', 'canceled', 'failed', 'refunded'];
const confirmed: readonly PaymentStatus[] = ['finished', 'partially_paid'];
const takenBack: readonly PaymentStatus[] = ['failed', 'refunded'];

const isSeen = ({ payment_status }: Payment) => !none.includes(payment_status);
export const isConfirmed = ({ payment_status }: Payment) => confirmed.includes(payment_status);

/**
 * A payment of NOWPayments, and those that came to its address later, as deposits know them. NOWPayments waits a week
 * for a payment; the invoice is over when the deposit says so, and what is first seen after that is late. USDT counts
 * at par.
 *
 * Only the first payment, finished, in full and in the coin that was asked for, is credited by itself. Another payment
 * to the same address, and another coin, are a person's to look at: at par where USDT came of it, without a value
 * otherwise. Once money was taken over, an answer from before is no news; only `failed` and `refunded` take it back.
 *
 * Worked example: 100 asked, `finished` with 120 → `Settled`, 120 settled. `partially_paid` with 60 → `New`, 60
 * settled, and `Expired` when its time is over. 100 finished and 40 more under a number of its own → 140 settled, 40 of
 * it held.
 */
export function readPayments(
  first: Payment,
  later: readonly Payment[],
  known: KnownInvoice | undefined,
  now: Date,
): Invoice {
  const isAsked = isAsAsked(first, known);
  const mismatch = [...(isAsked || !isSeen(first) ? [] : [first]), ...later.filter(isSeen)];
  const view = viewOf(isAsked ? first : { ...first, payment_status: 'waiting' }, known, now);
  const heldMicros = sum(mismatch.filter(isConfirmed).map(dollarsOf));
  const settledMicros = view.settledMicros + heldMicros;
  const all: InvoiceView = {
    ...view,
    settledMicros,
    paidMicros: view.paidMicros + sum(mismatch.map(dollarsOf)),
    ...(mismatch.length === 0 ? {} : { mismatch: { heldMicros } }),
  };
  const wasBooked = known !== undefined && known.bookedMicros > 0n && !takenBack.includes(first.payment_status);
  return {
    ...(wasBooked ? notBefore(all, known.bookedMicros) : all),
    id: first.payment_id,
    orderId: first.order_id ?? '',
    paymentId: first.payin_hash || (isConfirmed(first) ? first.payment_id : null),
    expiresAt: known?.expiresAt ?? now,
    payWays: readPayWays(first, view, known),
  };
}

/** In USDT on the network that was chosen, for a price in dollars. */
function isAsAsked(payment: Payment, known: KnownInvoice | undefined): boolean {
  const isCoin =
    known === undefined || !isDollarNetwork(known.payWith)
      ? isDollar(payment.pay_currency)
      : payment.pay_currency.toLowerCase() === dollarNetworks[known.payWith].currency;
  return isCoin && payment.price_currency.toLowerCase() === 'usd' && !payment.parent_payment_id;
}

/** An answer that was on its way while money was booked says less than is known. */
const notBefore = (view: InvoiceView, bookedMicros: bigint): InvoiceView => ({
  ...view,
  status: 'Settled',
  settledMicros: max(view.settledMicros, bookedMicros),
  paidMicros: max(view.paidMicros, view.settledMicros, bookedMicros),
});

function viewOf(payment: Payment, known: KnownInvoice | undefined, now: Date): InvoiceView {
  const amountMicros = toMicros(payment.pay_amount);
  const arrived = toMicros(payment.actually_paid ?? new Decimal(0));
  const isOpen = known === undefined || now <= known.expiresAt;
  // What was seen in time is in time, however long its confirmation takes.
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

/** Of another coin what it was changed into counts, if that is USDT. */
export function dollarsOf(payment: Payment): bigint {
  if (isDollar(payment.pay_currency)) return toMicros(payment.actually_paid ?? new Decimal(0));
  return isDollar(payment.outcome_currency) ? toMicros(payment.outcome_amount ?? new Decimal(0)) : 0n;
}

/** The address, with what is still due there. */
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
const max = (...parts: readonly bigint[]) => parts.reduce((most, part) => (part > most ? part : most));
