import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import type { Gateway } from '../gateway.ts';
import type { Btcpay } from './ask-btcpay.ts';
import { createInvoice, findInvoice } from './invoices.ts';
import { btcpayPayouts } from './payouts.ts';
import { readEvent } from './read-event.ts';
import { reportBalance } from './report-balance.ts';

/** A webhook waits for our answer while we ask twice, and a member while an invoice is made: not longer. */
const TIMEOUT_MS = 10_000;

/** A store at a BTCPay Server, by its Greenfield API (docs/payments.md). */
export function btcpayGateway(context: Context, timeoutMs = TIMEOUT_MS): Gateway {
  const { btcpay: store, publicUrl } = context.config;
  assert(store !== undefined && publicUrl !== undefined, 'config asks for them with PAYMENTS=btcpay');
  const btcpay: Btcpay = { ...store, timeoutMs, log: context.log };
  return {
    name: 'btcpay',
    createInvoice: (order) => createInvoice(btcpay, publicUrl, order),
    findInvoice: (invoiceId) => findInvoice(btcpay, invoiceId),
    readEvent: async (rawBody, headers) => readEvent(store, rawBody, headers),
    ...btcpayPayouts(btcpay),
    reportBalance: () => reportBalance(btcpay),
  };
}
