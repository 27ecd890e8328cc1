import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, listValues } from '#server/db/rows.ts';
import {
  CallFailed,
  callServer,
  findAtServer,
  type GatewayServer,
  orUnavailable,
  queryServer,
} from '../call-server.ts';
import type { Invoice, InvoiceOrder, IssuedInvoice, KnownInvoice } from '../gateway.ts';
import { dollarNetworks, isDollar, isDollarNetwork } from './networks.ts';
import { readPayments } from './read-payments.ts';
import { balanceShape, type Payment, paymentShape, toMicros } from './shapes.ts';

/** Webhook path for payment events. */
const ipnPath = '/api/v1/webhooks/nowpayments';

/**
 * Creates a payment in USDT at par. An interrupted attempt leaves one that is never shown and expires.
 *
 * Refuses `gateway_unavailable`, also when the reply does not match the order.
 */
export async function createPayment(
  context: Pick<Context, 'now'>,
  server: GatewayServer,
  publicUrl: string,
  order: InvoiceOrder,
): Promise<IssuedInvoice> {
  assert(isDollarNetwork(order.payWith), 'USDT on one of its networks');
  const { currency } = dollarNetworks[order.payWith];
  const dollars = Number(order.amountMicros) / 1_000_000;
  const body = {
    price_amount: dollars,
    price_currency: 'usd',
    pay_amount: dollars,
    pay_currency: currency,
    ipn_callback_url: `${publicUrl}${ipnPath}`,
    order_id: order.depositId.toString(),
    order_description: `Deposit ${order.reference}`,
    is_fixed_rate: false,
    is_fee_paid_by_user: false,
  };
  const path = '/payment';
  const called = callServer(server, { method: 'POST', path, body }, paymentShape).then((payment) => {
    const isAsOrdered = payment.pay_currency.toLowerCase() === currency && payment.order_id === body.order_id;
    if (!isAsOrdered) throw new CallFailed(`POST ${path} answered with another payment`, 201, false);
    return payment;
  });
  const payment = await orUnavailable(server, called);
  const now = context.now();
  const known: KnownInvoice = {
    payWith: order.payWith,
    amountMicros: order.amountMicros,
    expiresAt: new Date(now.getTime() + order.lifetimeMinutes * 60_000),
    isPending: false,
    bookedMicros: 0n,
    refundedMicros: 0n,
  };
  return { invoice: readPayments(payment, [], known, now), payUrl: null };
}

/** The payment, with later ones to the same address. Refuses `gateway_unavailable`. */
export async function findPayment(
  { db, now }: Pick<Context, 'db' | 'now'>,
  server: GatewayServer,
  paymentId: string,
  known: KnownInvoice | undefined,
): Promise<Invoice | undefined> {
  const first = await find(server, paymentId);
  if (first === undefined) return undefined;
  const ids = new Set([...(first.payment_extra_ids ?? []), ...(await listRedeposits(db, paymentId))]);
  ids.delete(first.payment_id);
  const later = await Promise.all([...ids].map((id) => find(server, id)));
  const ours = later.filter((payment): payment is Payment => payment !== undefined && belongsTo(payment, first));
  return readPayments(first, ours, known, now());
}

/** Another payment in reply, such as an old one from a cache, would count twice. */
const find = (server: GatewayServer, paymentId: string): Promise<Payment | undefined> =>
  findAtServer(
    server,
    { method: 'GET', path: `/payment/${encodeURIComponent(paymentId)}` },
    paymentShape.refine(({ payment_id }) => payment_id === paymentId, 'another payment'),
  );

/** Decided by the payment's own fields. A reply about a single payment omits the parent, which the list includes. */
const belongsTo = (payment: Payment, first: Payment): boolean =>
  (payment.parent_payment_id ?? first.payment_id) === first.payment_id && payment.order_id === first.order_id;

/**
 * The account's USDT balance at par, including pending payments. Undefined while it holds another coin, as the total
 * would be incomplete. Refuses `gateway_unavailable`.
 */
export async function reportBalance(server: GatewayServer): Promise<bigint | undefined> {
  const coins = await queryServer(server, { method: 'GET', path: '/balance' }, balanceShape);
  let held = 0n;
  for (const [currency, { amount, pendingAmount }] of Object.entries(coins)) {
    const both = amount.plus(pendingAmount ?? 0);
    if (isDollar(currency)) held += toMicros(both);
    else if (both.gt(0)) return undefined;
  }
  return held;
}

const gateway = 'nowpayments';

/** Idempotent. */
export const insertRedeposit = (db: Db, row: { paymentId: string; invoiceId: string; now: Date }) =>
  execute(db)`
    insert into funds.redeposit (gateway, payment_id, invoice_id, told_at)
    values (${gateway}, ${row.paymentId}, ${row.invoiceId}, ${row.now})
    on conflict (gateway, payment_id) do nothing`;

const listRedeposits = (db: Db, invoiceId: string) =>
  listValues(db)<string>`
    select payment_id from funds.redeposit where gateway = ${gateway} and invoice_id = ${invoiceId} order by payment_id`;
