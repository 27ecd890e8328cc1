import { Decimal } from 'decimal.js';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { findLastRate } from '../../coins/move-coins.ts';
import type { KnownInvoice } from '../gateway.ts';
import type { FixedRates, Rates } from './invoices.ts';
import { getUsableRate } from './payouts.ts';
import type { Btcpay } from './shapes.ts';

/**
 * Rates of the confirmed payments of a Bitcoin deposit (docs/product.md, section 4). A payment's rate is the gateway's
 * when it is first found confirmed, stored once and never changed. A payment after the invoice's expiry gets the
 * invoice's rate if that is lower, so paying late never gains from a price move.
 *
 * Worked example: an invoice at $50,000, the rate is $52,000 when 0.002 confirms: $104. Late: $100.
 *
 * An outlier is not stored (`getUsableRate`). Deposits without a `payWith`, from older versions, keep the invoice's
 * rate.
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
    // A concurrent check may have stored another rate first.
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
