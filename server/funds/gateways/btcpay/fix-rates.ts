import { Decimal } from 'decimal.js';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { findLastRate } from '../../coins/move-coins.ts';
import type { KnownInvoice } from '../gateway.ts';
import type { Btcpay } from './ask-btcpay.ts';
import type { FixedRates, Rates } from './invoices.ts';
import { getUsableRate } from './payouts.ts';

/**
 * What confirmed payments of a deposit in Bitcoin are worth (docs/product.md, section 4): a payment has the gateway's rate of
 * the first look that finds it confirmed, written down once and the same ever after; one that arrived after the invoice
 * expired has the invoice's rate where that is lower. So nobody pays late because the price has moved.
 *
 * Worked example: an invoice at $50,000, the rate is $52,000 when 0.002 confirms: $104. Late: $100.
 *
 * At a rate far from the last valuation nothing is written down (`getUsableRate`).
 *
 * Deposits from before the choice of what to pay with stay at the invoice's rate.
 */
export function ratesOf(
  { db, now }: Pick<Context, 'db' | 'now'>,
  btcpay: Btcpay,
  known: KnownInvoice | undefined,
): Rates | undefined {
  if (known?.payWith !== 'BTC') return undefined;
  return async (invoice, methods) => {
    const settled = methods.flatMap(({ payments, rate }) =>
      payments.filter(({ status }) => status === 'Settled').map((payment) => ({ ...payment, invoiceRate: rate })),
    );
    if (settled.length === 0) return new Map();
    const fixed = await listRates(db, invoice.id);
    const fresh = settled.filter(({ id }) => !fixed.has(id));
    if (fresh.length === 0) return fixed;
    const current = await getUsableRate(btcpay, await findLastRate(db, 'btcpay'));
    for (const { id, receivedDate, invoiceRate } of fresh) {
      const isLate = receivedDate > invoice.expirationTime;
      const rate = isLate ? Decimal.min(current, invoiceRate) : current;
      await insertRate(db, { paymentId: id, invoiceId: invoice.id, rate, now: now() });
    }
    // Whoever looked at the same time may have been first, with another rate.
    return listRates(db, invoice.id);
  };
}

async function listRates(db: Db, invoiceId: string): Promise<FixedRates> {
  const rows = await listRows(db)<{ id: string; rate: string }>`
    select payment_id as id, rate::text as rate from funds.payment_rate
    where gateway = 'btcpay' and invoice_id = ${invoiceId}`;
  return new Map(rows.map(({ id, rate }) => [id, new Decimal(rate)]));
}

const insertRate = (db: Db, row: { paymentId: string; invoiceId: string; rate: Decimal; now: Date }) =>
  execute(db)`
    insert into funds.payment_rate (gateway, invoice_id, payment_id, rate, fixed_at)
    values ('btcpay', ${row.invoiceId}, ${row.paymentId}, ${row.rate.toFixed()}::numeric, ${row.now})
    on conflict (gateway, invoice_id, payment_id) do nothing`;
