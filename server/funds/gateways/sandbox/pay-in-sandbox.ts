import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import {
  amountOf,
  confirmPayments,
  expireInvoice,
  invalidateInvoice,
  outcomeOf,
  receivePayment,
  type SandboxChoice,
  type SandboxPayment,
} from '../../core/sandbox-invoice.ts';
import { receiveWebhook } from '../../deposits/follow-deposit.ts';
import { changed, type Found, lockCurrent } from './change-invoice.ts';
import { type Deliver, deliverEvents } from './deliver-events.ts';
import { sandboxGateway } from './gateway.ts';
import {
  findInvoiceByOrder,
  findInvoiceByToken,
  type InvoiceRow,
  insertPayment,
  updatePayments,
} from './invoice-sql.ts';

export type SandboxTarget = { readonly token: string } | { readonly depositId: bigint };

export type SandboxResult = {
  readonly outcome: 'success' | 'pending' | 'failed' | 'cancelled';
  readonly returnPath: string;
};

type Options = { readonly amountMicros?: bigint | undefined; readonly deliver?: Deliver };

/**
 * Executes a choice of the payment page. A payment is confirmed only after its first events were delivered, so that the
 * deposit passes through the same states as with a real gateway.
 *
 * Refuses `not_found` for an unknown invoice; `validation` for a choice or an amount that the invoice does not allow.
 */
export async function payInSandbox(
  context: Context,
  target: SandboxTarget,
  choice: SandboxChoice,
  { amountMicros, deliver = deliverInProcess(context) }: Options = {},
): Promise<SandboxResult> {
  const { id } = await getInvoice(context, target);
  await inTransaction(context.db, (tx) => begin(context, tx, id, choice, amountMicros));
  await deliverEvents(context, deliver, id);
  const { row, invoice } = await (choice === 'fail' ? rejectPayments(context, id) : confirmWaiting(context, id));
  await deliverEvents(context, deliver, id);
  const outcome = outcomeOf(invoice);
  return { outcome, returnPath: row.return_path.replace('{status}', outcome) };
}

async function getInvoice(context: Context, target: SandboxTarget): Promise<InvoiceRow> {
  const row =
    'token' in target
      ? await findInvoiceByToken(context.db, target.token)
      : await findInvoiceByOrder(context.db, target.depositId.toString());
  if (row === undefined) throw new Refused('not_found');
  return row;
}

async function begin(context: Context, tx: Tx, id: string, choice: SandboxChoice, givenMicros?: bigint): Promise<void> {
  let found = await lockCurrent(context, tx, id);
  const amountMicros = amountOf(choice, found.invoice, givenMicros);
  if (typeof amountMicros === 'string') throw new Refused('validation', { field: amountMicros });
  if (choice === 'late' || choice === 'expire') {
    const expired = expireInvoice(found.invoice);
    if (expired !== undefined) found = await changed(context, tx, found, expired);
  }
  if (amountMicros === 0n) return;
  const payment: SandboxPayment = {
    id: `sandbox-${randomBytes(16).toString('hex')}`,
    amountMicros,
    status: 'Processing',
    afterExpiration: found.invoice.status === 'Expired',
    receivedAt: context.now(),
  };
  await insertPayment(tx, id, payment);
  await changed(context, tx, found, receivePayment(found.invoice, payment));
}

/** Confirms the pending payments. Idempotent. */
export function confirmWaiting(context: Context, id: string): Promise<Found> {
  return inTransaction(context.db, async (tx) => {
    const found = await lockCurrent(context, tx, id);
    const change = confirmPayments(found.invoice);
    await updatePayments(tx, id, 'Settled');
    return changed(context, tx, found, change);
  });
}

function rejectPayments(context: Context, id: string): Promise<Found> {
  return inTransaction(context.db, async (tx) => {
    const found = await lockCurrent(context, tx, id);
    const change = invalidateInvoice(found.invoice);
    if (change === undefined) return found;
    await updatePayments(tx, id, 'Invalid');
    return changed(context, tx, found, change);
  });
}

/** Calls the webhook's operation directly, for processes that do not listen. */
export function deliverInProcess(context: Context): Deliver {
  return async ({ rawBody, headers }) => {
    try {
      await receiveWebhook(context, sandboxGateway(context), rawBody, headers);
      return 200;
    } catch (error) {
      if (error instanceof Refused) return error.status;
      throw error;
    }
  };
}
