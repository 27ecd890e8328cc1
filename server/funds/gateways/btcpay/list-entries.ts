import { z } from 'zod';
import type { Db } from '#server/db/connect.ts';
import { listEarlierInvoices } from '../../deposits/sql.ts';
import { findAtServer, queryServer } from '../call-server.ts';
import type { GatewayEntry } from '../gateway.ts';
import { MONITORING_MINUTES, transactionOf } from './invoices.ts';
import { type Btcpay, invoiceShape, paymentMethodShape, walletTransactionsShape } from './shapes.ts';

const PAGE = 100;

/**
 * Confirmed payments of the store's invoices, and all other confirmed transactions of its wallet: payouts including the
 * network fee, and any other movement. Covers invoices created up to the monitoring time before the period, and those
 * booked in it, however long their payments took to confirm.
 *
 * @param payer the store with the payout key, which may read the wallet
 */
export async function listEntries(
  db: Db,
  btcpay: Btcpay,
  payer: Btcpay,
  from: Date,
  to: Date,
): Promise<GatewayEntry[]> {
  const madeSince = new Date(from.getTime() - MONITORING_MINUTES * 60_000);
  const payments = await listPayments(btcpay, madeSince, to);
  for (const id of await listEarlierInvoices(db, 'btcpay', { madeSince, changedSince: from }))
    payments.push(...(await listPaymentsOf(btcpay, id)));
  const paidBy = new Set(payments.map(({ id }) => transactionOf(id)));
  const wallet = await listWallet(payer, from);
  return [...payments, ...wallet.filter(({ id, kind }) => kind === 'payout' || !paidBy.has(id))];
}

async function listPayments(btcpay: Btcpay, from: Date, to: Date): Promise<GatewayEntry[]> {
  const entries: GatewayEntry[] = [];
  const path = `/stores/${btcpay.storeId}/invoices`;
  const period = { startDate: secondsOf(from), endDate: secondsOf(to) };
  for (let skip = 0; ; skip += PAGE) {
    const query = { ...period, skip: String(skip), take: String(PAGE) };
    const invoices = await queryServer(btcpay, { method: 'GET', path, query }, z.array(invoiceShape));
    for (const { id } of invoices) entries.push(...(await listPaymentsOf(btcpay, id)));
    if (invoices.length < PAGE) return entries;
  }
}

async function listPaymentsOf(btcpay: Btcpay, invoiceId: string): Promise<GatewayEntry[]> {
  const path = `/invoices/${encodeURIComponent(invoiceId)}/payment-methods`;
  const methods = (await findAtServer(btcpay, { method: 'GET', path }, z.array(paymentMethodShape))) ?? [];
  return methods.flatMap(({ currency, payments }) =>
    payments
      .filter(({ status }) => status === 'Settled')
      .map(({ id, receivedDate, value }) => ({
        ...({ kind: 'payment', id, about: `payment/${invoiceId}`, asset: currency } as const),
        at: new Date(receivedDate * 1000),
        units: value.toFixed(),
      })),
  );
}

/** Newest first, confirmed transactions only. */
async function listWallet(payer: Btcpay, from: Date): Promise<GatewayEntry[]> {
  const entries: GatewayEntry[] = [];
  const path = `/stores/${payer.storeId}/payment-methods/BTC-CHAIN/wallet/transactions`;
  for (let skip = 0; ; skip += PAGE) {
    const query = { skip: String(skip), limit: String(PAGE), statusFilter: 'Confirmed' };
    const listed = await queryServer(payer, { method: 'GET', path, query }, walletTransactionsShape);
    for (const { transactionHash: id, amount, timestamp } of listed) {
      const kind = amount.isNegative() ? 'payout' : 'other';
      const at = new Date(timestamp * 1000);
      if (at >= from) entries.push({ kind, id, about: `transaction/${id}`, at, asset: 'BTC', units: amount.toFixed() });
    }
    const oldest = listed.at(-1);
    if (listed.length < PAGE || oldest === undefined || oldest.timestamp * 1000 < from.getTime()) return entries;
  }
}

const secondsOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));
