import assert from 'node:assert/strict';
import { invoiceMinutes } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { type DepositRow, findDeposit, updateInvoice } from './sql.ts';

/**
 * Asks the gateway for an invoice and ties it to the deposit. When somebody else was faster, theirs stays and ours is
 * never shown to anybody.
 */
export async function issueInvoice(context: Context, gateway: Gateway, deposit: DepositRow): Promise<DepositRow> {
  const { invoice, payUrl } = await gateway.createInvoice({
    depositId: deposit.id,
    reference: deposit.reference,
    amountMicros: deposit.amount_micros,
    lifetimeMinutes: invoiceMinutes,
    returnPath: `/payment/{status}?deposit=${deposit.id}`,
  });
  const tied = await inTransaction(context.db, (tx) =>
    updateInvoice(tx, {
      id: deposit.id,
      invoiceId: invoice.id,
      payUrl,
      payWays: invoice.payWays,
      expiresAt: invoice.expiresAt,
      now: context.now(),
    }),
  );
  const row = tied ?? (await findDeposit(context.db, deposit.id));
  assert(row !== undefined, 'deposits are never deleted');
  return row;
}
