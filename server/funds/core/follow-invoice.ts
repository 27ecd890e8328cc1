import assert from 'node:assert/strict';
import type { DepositState } from '#contract/funds/deposits.ts';

export const invoiceStatuses = ['New', 'Processing', 'Settled', 'Expired', 'Invalid'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** An invoice as the gateway reports it, in micros of a dollar. */
export type InvoiceView = {
  readonly status: InvoiceStatus;
  readonly amountMicros: bigint;
  /** All payments seen, confirmed or not; decreases when one is replaced. */
  readonly paidMicros: bigint;
  /** The confirmed part of it: only this is ever booked. */
  readonly settledMicros: bigint;
  /**
   * A payment that does not match the invoice, in another coin or a repeated one, and needs a review. `heldMicros` is
   * its part of `settledMicros`, 0 while its value is unknown. Such money is only credited by an operator.
   */
  readonly mismatch?: { readonly heldMicros: bigint };
};

/** The deposit as stored. */
export type DepositView = {
  readonly state: DepositState;
  /** Booked from the gateway so far, into the primary wallet or into `unallocated`. */
  readonly bookedMicros: bigint;
  /** An operator has decided it, and may have credited what the gateway reports as invalid. */
  readonly isDecided?: boolean;
  /** What was credited, if the gateway had as much when last looked at. */
  readonly coveredMicros?: bigint;
};

export type DepositStep = {
  readonly state: DepositState;
  /** gateway → primary. */
  readonly creditMicros: bigint;
  /** gateway → unallocated, until an operator decides. */
  readonly holdMicros: bigint;
  /** The gateway reversed a credited payment: the member is frozen until an operator corrects it. */
  readonly isReversed: boolean;
};

/** Waiting for the gateway: every reconciliation polls these. */
export const openDepositStates = ['created', 'pending', 'underpaid'] as const satisfies readonly DepositState[];
/** Whether the member can still pay. */
export const isPayable = (state: DepositState): boolean =>
  (openDepositStates as readonly DepositState[]).includes(state);

/**
 * The next state of a deposit and the money to move, given its invoice (docs/product.md, section 4). Only the invoice's
 * current state counts, not the event that prompted the check, so events may arrive repeatedly and in any order.
 * Applying the same invoice again changes nothing.
 *
 * Money is booked once, as the difference between confirmed and booked: credited when the invoice settles while the
 * deposit is open, held in `unallocated` when it arrives short, late, or after crediting.
 *
 * Worked example: $100 requested, the invoice settled with $120 confirmed, nothing booked → `{ state: 'credited',
 * creditMicros: 120_000_000n, holdMicros: 0n }`. The same again → no money. Another $30 arrives → `{ state: 'review',
 * creditMicros: 0n, holdMicros: 30_000_000n }`.
 */
export function followInvoice(deposit: DepositView, invoice: InvoiceView): DepositStep {
  assert(invoice.settledMicros >= 0n && invoice.settledMicros <= invoice.paidMicros, 'more confirmed than paid');
  if (isPayable(deposit.state)) return followOpen(deposit, invoice);
  if (deposit.state === 'credited') return followCredited(deposit, invoice);
  if (invoice.paidMicros < (deposit.coveredMicros ?? 0n)) return { ...stay('review'), isReversed: true };
  const hasPayment = invoice.paidMicros > 0n || invoice.mismatch !== undefined;
  if (deposit.state === 'expired' && hasPayment) return hold('review', deposit, invoice);
  return hasNewMoney(deposit, invoice) ? hold('review', deposit, invoice) : stay(deposit.state);
}

/**
 * The same step for a member who has closed the account: what would be credited is held for an operator to refund. $100
 * credited become `{ state: 'review', creditMicros: 0n, holdMicros: 100_000_000n }`.
 */
export const holdCredit = (step: DepositStep): DepositStep =>
  step.creditMicros === 0n
    ? step
    : { ...step, state: 'review', creditMicros: 0n, holdMicros: step.holdMicros + step.creditMicros };

function followOpen(deposit: DepositView, invoice: InvoiceView): DepositStep {
  assert(deposit.bookedMicros === 0n, 'an open deposit has nothing booked');
  switch (invoice.status) {
    case 'New':
      return invoice.mismatch === undefined ? stay(stateWhileNew(invoice)) : hold('review', deposit, invoice);
    case 'Processing':
      return stay('pending');
    case 'Settled':
      // Marked as settled at the gateway without a payment: nothing to credit, so it goes to review.
      if (invoice.settledMicros === 0n) return stay('review');
      return settle(invoice);
    case 'Expired':
      return invoice.paidMicros === 0n && invoice.mismatch === undefined
        ? stay('expired')
        : hold('review', deposit, invoice);
    case 'Invalid':
      return invoice.settledMicros === 0n && invoice.mismatch === undefined
        ? stay('failed')
        : hold('review', deposit, invoice);
  }
}

/** Credits what matches the invoice; the rest is held for review. */
function settle({ settledMicros, mismatch }: InvoiceView): DepositStep {
  const holdMicros = mismatch?.heldMicros ?? 0n;
  const state = mismatch === undefined ? 'credited' : 'review';
  return { state, creditMicros: settledMicros - holdMicros, holdMicros, isReversed: false };
}

/** Unconfirmed payments are `pending`; confirmed but short is `underpaid`; replaced payments return it to `created`. */
function stateWhileNew({ amountMicros, paidMicros, settledMicros }: InvoiceView): DepositState {
  if (paidMicros === 0n) return 'created';
  return settledMicros < paidMicros || paidMicros >= amountMicros ? 'pending' : 'underpaid';
}

function followCredited(deposit: DepositView, invoice: InvoiceView): DepositStep {
  const isInvalid = invoice.status === 'Invalid' && deposit.isDecided !== true;
  const isReversed = isInvalid || invoice.settledMicros < deposit.bookedMicros;
  if (isReversed) return { ...hold('review', deposit, invoice), isReversed };
  const isMismatch = invoice.mismatch !== undefined && deposit.isDecided !== true;
  return hasNewMoney(deposit, invoice) || isMismatch ? hold('review', deposit, invoice) : stay('credited');
}

const hasNewMoney = (deposit: DepositView, invoice: InvoiceView) => invoice.settledMicros > deposit.bookedMicros;

const stay = (state: DepositState): DepositStep => ({ state, creditMicros: 0n, holdMicros: 0n, isReversed: false });

function hold(state: DepositState, deposit: DepositView, invoice: InvoiceView): DepositStep {
  const holdMicros = hasNewMoney(deposit, invoice) ? invoice.settledMicros - deposit.bookedMicros : 0n;
  return { state, creditMicros: 0n, holdMicros, isReversed: false };
}
