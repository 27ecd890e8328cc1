import assert from 'node:assert/strict';
import { payoutNetworks } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import type { GatewayServer } from '../call-server.ts';
import type { Gateway, GatewayEvent, WebhookHeaders } from '../gateway.ts';
import { readBody } from '../read-body.ts';
import { ipnSignatureHeader, isSignedIpn } from './ipn-signature.ts';
import { isDollarNetwork } from './networks.ts';
import { createPayment, findPayment, insertRedeposit, reportBalance } from './payments.ts';
import { nowpaymentsPayouts } from './payouts.ts';
import { ipnShape } from './shapes.ts';

/** IPNs and members creating a payment wait for this long. */
const TIMEOUT_MS = 10_000;

/** NOWPayments watches for a payment for a week. */
const WATCHED_HOURS = 7 * 24;

/** An account at NOWPayments: USDT on three networks, paid from our own page (docs/funds.md, "Gateways"). */
export function nowpaymentsGateway(context: Context, timeoutMs = TIMEOUT_MS): Gateway {
  const { nowpayments: account, publicUrl } = context.config;
  assert(account !== undefined && publicUrl !== undefined, 'config asks for them with PAYMENTS=nowpayments');
  const server: GatewayServer = {
    name: 'NOWPayments',
    base: `${account.url}/v1`,
    headers: { 'x-api-key': account.apiKey },
    timeoutMs,
    log: context.log,
  };
  return {
    name: 'nowpayments',
    watchedHours: WATCHED_HOURS,
    payWith: payoutNetworks.filter(isDollarNetwork),
    createInvoice: (order) => createPayment(context, server, publicUrl, order),
    findInvoice: (paymentId, known) => findPayment(context, server, paymentId, known),
    readEvent: (rawBody, headers) => readEvent(context, account.ipnSecrets, rawBody, headers),
    ...nowpaymentsPayouts(context, account, server),
    reportBalance: () => reportBalance(server),
  };
}

/**
 * Parses an IPN. For a later payment to an invoice's address, stores the payment id with the invoice, so that it is
 * polled from then on even if the first payment does not list it.
 *
 * Refuses `bad_signature`, `unreadable_body`.
 */
async function readEvent(
  { db, now }: Context,
  secrets: readonly string[],
  rawBody: Buffer,
  headers: WebhookHeaders,
): Promise<GatewayEvent | 'ignored'> {
  if (!isSignedIpn(secrets, rawBody, headers[ipnSignatureHeader])) throw new Refused('bad_signature');
  const ipn = readBody(rawBody, ipnShape);
  if (ipn.payment_id === undefined) return 'ignored';
  const { payment_id: paymentId, parent_payment_id: parentId, payment_status: type } = ipn;
  const invoiceId = parentId ?? paymentId;
  if (invoiceId !== paymentId) await insertRedeposit(db, { paymentId, invoiceId, now: now() });
  return { type, invoiceId };
}
