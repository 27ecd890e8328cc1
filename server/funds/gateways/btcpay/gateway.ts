import assert from 'node:assert/strict';
import { z } from 'zod';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { isSignedBy, signatureHeader } from '../../deposits/webhook-signature.ts';
import type { Gateway, GatewayEvent, WebhookHeaders } from '../gateway.ts';
import { readBody } from '../read-body.ts';
import { ratesOf } from './fix-rates.ts';
import { confirmationsFor, createInvoice, findInvoice, MONITORING_MINUTES } from './invoices.ts';
import { listEntries } from './list-entries.ts';
import { btcpayPayouts, findNetworkFee, getBitcoinRate, toBitcoin } from './payouts.ts';
import { reportBalance, reportCoins } from './report-balance.ts';
import type { Btcpay } from './shapes.ts';

/** Webhooks, which need two calls, and members creating an invoice wait for this long per call. */
const TIMEOUT_MS = 10_000;

/** A store at a BTCPay Server, through its Greenfield API (docs/funds.md, "Gateways"). */
export function btcpayGateway(context: Context, timeoutMs = TIMEOUT_MS): Gateway {
  const { btcpay: store, publicUrl, bitcoinConfirmations } = context.config;
  assert(store !== undefined && publicUrl !== undefined, 'config asks for them with PAYMENTS=btcpay');
  const openStore = (apiKey: string): Btcpay => ({
    name: 'BTCPay Server',
    base: `${store.url}/api/v1`,
    headers: { authorization: `token ${apiKey}` },
    timeoutMs,
    log: context.log,
    storeId: store.storeId,
  });
  const btcpay = openStore(store.apiKey);
  // Processes without the key cannot move money, and never call this.
  const payer = () => {
    assert(store.payoutKey !== undefined, 'payouts are made by the worker, which has the key');
    return openStore(store.payoutKey);
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
      toUnits: (micros, lastRate) => toBitcoin(btcpay, micros, lastRate),
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
  const { type, storeId, invoiceId } = readBody(rawBody, eventShape);
  return storeId === store.storeId && invoiceId !== undefined ? { type, invoiceId } : 'ignored';
}
