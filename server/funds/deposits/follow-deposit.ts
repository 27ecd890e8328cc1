import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { freezeMember, holdMember, lockReceiver } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { type Notice, notifyMember } from '#server/notify/index.ts';
import { addPayment } from '../coins/move-coins.ts';
import { type DepositStep, followInvoice, holdCredit, isPayable } from '../core/follow-invoice.ts';
import { noticeOf } from '../core/notices.ts';
import type { Gateway, Invoice, KnownInvoice, WebhookHeaders } from '../gateways/gateway.ts';
import { type DepositRow, findDeposit, findDepositByInvoice, lockDeposit, updateDeposit } from './sql.ts';

/**
 * Asks the gateway about the deposit's invoice and does what follows from it: state, money, notification, audit, all
 * in one transaction. Exactly-once however often and however many at a time: the row carries a version, and what was
 * fetched before somebody else changed the row is thrown away and fetched again, so an old picture of the invoice is
 * never laid over a newer one.
 *
 * @returns true when something changed, undefined when the gateway does not know the invoice
 */
export async function followDeposit(
  context: Context,
  gateway: Gateway,
  depositId: bigint,
): Promise<boolean | undefined> {
  for (;;) {
    const deposit = await findDeposit(context.db, depositId);
    if (deposit === undefined || deposit.invoice_id === null) return false;
    const invoice = await gateway.findInvoice(deposit.invoice_id, knownOf(deposit));
    if (invoice === undefined) return undefined;
    assert.equal(invoice.orderId, deposit.id.toString(), 'the invoice of another order');
    const { state, booked_micros: bookedMicros, note } = deposit;
    const step = followInvoice({ state, bookedMicros, isDecided: note !== null }, invoice);
    if (isNothing(deposit, step) && !hasNewWays(deposit, invoice)) return false;
    if (await inTransaction(context.db, (tx) => take(context, tx, deposit, invoice, step))) return true;
  }
}

/** What its gateway is told of it with each question. */
export const knownOf = (deposit: DepositRow): KnownInvoice => ({
  payWith: deposit.pay_with,
  amountMicros: deposit.amount_micros,
  expiresAt: deposit.expires_at,
  isPending: deposit.state === 'pending',
  bookedMicros: deposit.booked_micros,
});

const isNothing = (deposit: DepositRow, step: DepositStep) =>
  step.state === deposit.state && step.creditMicros === 0n && step.holdMicros === 0n;

/** A part that was paid leaves less to pay, though the state may stay: nobody is to scan what was due before. */
const hasNewWays = (deposit: DepositRow, invoice: Invoice) =>
  isPayable(deposit.state) && !isDeepStrictEqual(deposit.pay_ways ?? [], invoice.payWays);

async function take(context: Context, tx: Tx, seen: DepositRow, invoice: Invoice, due: DepositStep): Promise<boolean> {
  const deposit = await lockDeposit(tx, seen.id, seen.version);
  if (deposit === undefined) return false;
  // Of two that share the member, neither could freeze them.
  if (due.isReversed) await holdMember(tx, deposit.member_id);
  const { isClosed } = await lockReceiver(tx, deposit.member_id);
  const step = isClosed ? holdCredit(due) : due;
  const { creditMicros, holdMicros, state } = step;
  await updateDeposit(tx, {
    id: deposit.id,
    state,
    creditMicros,
    holdMicros,
    paymentId: invoice.paymentId,
    payWays: invoice.payWays,
    now: context.now(),
  });
  if (isNothing(deposit, step)) return true;
  const { coins } = invoice;
  if (coins !== undefined) await addPayment(tx, deposit, coins, creditMicros + holdMicros, context.now());
  await post(tx, transfersOf(deposit, step, await getMarketTime(tx)));
  await tell(tx, deposit, invoice, step, isClosed);
  if (step.isReversed && !isClosed) {
    const why = `deposit ${deposit.reference} was reversed by the gateway`;
    await freezeMember(tx, {
      memberId: deposit.member_id,
      actor: { kind: 'system', id: null },
      why,
      now: context.now(),
    });
  }
  return true;
}

/** The key of a hold carries what was booked before it, so that each further payment has a key of its own. */
function transfersOf(deposit: DepositRow, step: DepositStep, marketAt: Date): Transfer[] {
  const about = { from: { class: 'gateway' }, reference: deposit.reference, marketAt } as const;
  const credit: Transfer = {
    ...about,
    key: `deposit/${deposit.id}/credit`,
    to: { memberId: deposit.member_id, class: 'primary' },
    amountMicros: step.creditMicros,
    reason: 'deposit',
  };
  const hold: Transfer = {
    ...about,
    key: `deposit/${deposit.id}/unallocated/${deposit.booked_micros}`,
    to: { class: 'unallocated' },
    amountMicros: step.holdMicros,
    reason: 'deposit_unallocated',
  };
  return [credit, hold].filter((transfer) => transfer.amountMicros > 0n);
}

async function tell(
  tx: Tx,
  deposit: DepositRow,
  invoice: Invoice,
  step: DepositStep,
  isClosed: boolean,
): Promise<void> {
  await writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action: step.isReversed ? 'deposit.taken_back' : `deposit.${step.state}`,
    subject: `deposit:${deposit.id}`,
    before: { state: deposit.state, booked_micros: deposit.booked_micros },
    after: {
      state: step.state,
      credited_micros: step.creditMicros,
      held_micros: step.holdMicros,
      invoice: invoice.status,
    },
  });
  // Nobody reads what a closed account is told.
  const notice = isClosed ? undefined : noticeOf(deposit, step);
  if (notice !== undefined) await notifyMember(tx, { memberId: deposit.member_id, ...notice } satisfies Notice);
}

/**
 * Takes one event of a gateway. The event is only a knock at the door: once its signature is right, the invoice is
 * asked of the gateway itself, so that an event out of order, repeated, stale or replayed does no more than one look
 * too many. Events that are not for us are answered well and do nothing: the gateway must not send them again.
 *
 * Refuses `bad_signature`, `unreadable_body`; `gateway_unavailable` makes the gateway send the event again.
 */
export async function receiveWebhook(
  context: Context,
  gateway: Gateway,
  rawBody: Buffer,
  headers: WebhookHeaders,
): Promise<void> {
  const event = await gateway.readEvent(rawBody, headers);
  if (event === 'ignored') return;
  const deposit = await findDepositByInvoice(context.db, gateway.name, event.invoiceId);
  if (deposit !== undefined) await followDeposit(context, gateway, deposit.id);
}
