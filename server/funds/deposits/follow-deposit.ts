import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { freezeMember, lockAnyMember, lockReceiver } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inRowTransaction } from '#server/db/tx.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { type Notice, notifyMember } from '#server/notify/index.ts';
import { addPayment } from '../coins/move-coins.ts';
import { type DepositStep, type DepositView, followInvoice, holdCredit, isPayable } from '../core/follow-invoice.ts';
import { noticeOf } from '../core/notices.ts';
import type { Gateway, Invoice, KnownInvoice, WebhookHeaders } from '../gateways/gateway.ts';
import { type DepositRow, findDeposit, findDepositByInvoice, lockDeposit, updateDeposit } from './sql.ts';

/**
 * Fetches the deposit's invoice from the gateway and applies it: state, money, notification and audit, all in one
 * transaction. Safe to repeat and to run concurrently: the row carries a version, and an invoice fetched before the row
 * changed is discarded and fetched again, so stale data never overwrites newer.
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
    const step = followInvoice(viewOf(deposit), invoice);
    if (isNoOp(deposit, step) && !showsMore(deposit, invoice)) return false;
    if (await inRowTransaction(context.db, (tx) => applyStep(context, tx, deposit, invoice, step))) return true;
  }
}

const viewOf = ({
  state,
  booked_micros: bookedMicros,
  credited_micros,
  paid_micros,
  note,
}: DepositRow): DepositView => ({
  state,
  bookedMicros,
  isDecided: note !== null,
  coveredMicros: (paid_micros ?? 0n) >= (credited_micros ?? 0n) ? (credited_micros ?? 0n) : 0n,
});

/** What we know of its invoice, for gateways that do not store it. */
export const knownOf = (deposit: DepositRow): KnownInvoice => ({
  payWith: deposit.pay_with,
  amountMicros: deposit.amount_micros,
  expiresAt: deposit.expires_at,
  isPending: deposit.state === 'pending',
  bookedMicros: deposit.booked_micros,
  refundedMicros: deposit.refunded_micros,
});

const isNoOp = (deposit: DepositRow, step: DepositStep) =>
  step.state === deposit.state && step.creditMicros === 0n && step.holdMicros === 0n && !step.isReversed;

/**
 * A payment without another state: less is due, and the old QR code must not be shown again, or an operator sees that
 * more was paid than is held.
 */
function showsMore({ state, paid_micros, pay_ways }: DepositRow, invoice: Invoice): boolean {
  if (!isPayable(state) && state !== 'review') return false;
  return (
    (paid_micros ?? 0n) !== invoice.paidMicros ||
    (isPayable(state) && !isDeepStrictEqual(pay_ways ?? [], invoice.payWays))
  );
}

async function applyStep(
  context: Context,
  tx: Tx,
  before: DepositRow,
  invoice: Invoice,
  due: DepositStep,
): Promise<boolean> {
  const deposit = await lockDeposit(tx, before.id, before.version);
  if (deposit === undefined) return false;
  // Locked exclusively before `lockReceiver` shares the lock: two sharers could not both upgrade to freeze the member.
  if (due.isReversed) await lockAnyMember(tx, deposit.member_id);
  const { isClosed } = await lockReceiver(tx, deposit.member_id);
  const step = isClosed ? holdCredit(due) : due;
  const { creditMicros, holdMicros, state } = step;
  await updateDeposit(tx, {
    id: deposit.id,
    state,
    creditMicros,
    holdMicros,
    paymentId: invoice.paymentId,
    paidMicros: invoice.paidMicros,
    payWays: invoice.payWays,
    now: context.now(),
  });
  if (isNoOp(deposit, step)) return true;
  const { coins } = invoice;
  if (coins !== undefined) await addPayment(tx, deposit, coins, creditMicros + holdMicros, context.now());
  await post(tx, transfersOf(deposit, step, await getMarketTime(tx)));
  await recordStep(tx, deposit, invoice, step, isClosed);
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

/** The key of a hold contains the amount booked before it, so that each further payment has its own key. */
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

async function recordStep(
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
  // A closed account is not notified.
  const notice = isClosed ? undefined : noticeOf(deposit, step, invoice);
  if (notice !== undefined) await notifyMember(tx, { memberId: deposit.member_id, ...notice } satisfies Notice);
}

/**
 * Processes a webhook event. The event only triggers a check: once its signature is verified, the invoice is fetched
 * from the gateway itself, so an event that is out of order, repeated, stale or replayed causes no more than an extra
 * fetch. Events that are not for us succeed without effect, so that the gateway does not resend them.
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
