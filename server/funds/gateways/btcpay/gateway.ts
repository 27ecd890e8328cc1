import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { isSignedBy, signatureHeader } from '../../deposits/webhook-signature.ts';
import type { Gateway, GatewayEvent, WebhookHeaders } from '../gateway.ts';
import type { Btcpay } from './call-btcpay.ts';
import { ratesOf } from './fix-rates.ts';
import { confirmationsFor, createInvoice, findInvoice, MONITORING_MINUTES } from './invoices.ts';
import { listEntries } from './list-entries.ts';
import { btcpayPayouts, findNetworkFee, getBitcoinRate } from './payouts.ts';
import { reportBalance, reportCoins } from './report-balance.ts';

/** Webhooks, which need two calls, and members creating an invoice wait for this long per call. */
const TIMEOUT_MS = 10_000;

/** A store at a BTCPay Server, through its Greenfield API (docs/funds.md, "Gateways"). */
export function btcpayGateway(context: Context, timeoutMs = TIMEOUT_MS): Gateway {
  const { btcpay: store, publicUrl, bitcoinConfirmations } = context.config;
  assert(store !== undefined && publicUrl !== undefined, 'config asks for them with PAYMENTS=btcpay');
  const btcpay: Btcpay = { ...store, timeoutMs, log: context.log };
  // Processes without the key cannot move money, and never call this.
  const payer = () => {
    assert(store.payoutKey !== undefined, 'payouts are made by the worker, which has the key');
    return { ...btcpay, apiKey: store.payoutKey };
  };
  return {
    name: 'btcpay',
    payWith: ['BTC'],
    watchedHours: MONITORING_MINUTES / 60,
    createInvoice: (order) =>
      createInvoice(btcpay, publicUrl, order, confirmationsFor(bitcoinConfirmations, order.amountMicros)),
    findInvoice: (invoiceId, known) => findInvoice(btcpay, invoiceId, ratesOf(context, btcpay, known)),
    readEvent: async (rawBody, headers) => readEvent(store, rawBody, headers),
    ...btcpayPayouts(store.storeId, payer),
    reportBalance: async () => reportBalance(payer()),
    listEntries: async (from, to) => listEntries(context.db, btcpay, payer(), from, to),
    coins: {
      asset: 'BTC',
      reportUnits: async () => (await reportCoins(payer()))?.toFixed(),
      getRate: async () => (await getBitcoinRate(btcpay)).toFixed(),
      findNetworkFee: async (transaction) => findNetworkFee(payer(), transaction),
    },
  };
}

/** Loose: BTCPay Server adds fields, and sends events about payouts and payment requests to the same webhook. */
const eventShape = z.looseObject({
  type: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  storeId: z.string().optional(),
  invoiceId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/)
    .optional(),
});

/**
 * Parses an event of the store. A valid signature is not enough, because another store may use the same secret.
 *
 * Refuses `bad_signature`, `unreadable_body`.
 */
export function readEvent(
  store: { readonly storeId: string; readonly webhookSecrets: readonly string[] },
  rawBody: Buffer,
  headers: WebhookHeaders,
): GatewayEvent | 'ignored' {
  if (!isSignedBy(store.webhookSecrets, rawBody, headers[signatureHeader])) throw new Refused('bad_signature');
  const parsed = eventShape.safeParse(parseJson(rawBody));
  if (!parsed.success) throw new Refused('unreadable_body');
  const { type, storeId, invoiceId } = parsed.data;
  return storeId === store.storeId && invoiceId !== undefined ? { type, invoiceId } : 'ignored';
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}
