import assert from 'node:assert/strict';
import type { DepositState } from '#contract/funds/deposits.ts';

export const invoiceStatuses = ['New', 'Processing', 'Settled', 'Expired', 'Invalid'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

/** An invoice as the gateway reports it when asked, in micros of a dollar. */
export type InvoiceView = {
  readonly status: InvoiceStatus;
  readonly amountMicros: bigint;
  /** All payments seen, confirmed or not; less again when one was replaced. */
  readonly paidMicros: bigint;
  /** The confirmed part of it: only this is ever booked. */
  readonly settledMicros: bigint;
  /**
   * Somebody must look, because something came that is not as asked for: in another coin, or once more. `heldMicros` is
   * what of `settledMicros` came that way; 0 while its value is not known. Such money is never credited without a person.
   */
  readonly unlike?: { readonly heldMicros: bigint };
};

/** What the deposit's row knows. */
export type DepositView = {
  readonly state: DepositState;
  /** Everything taken over from the gateway so far, into the primary wallet or into `unallocated`. */
  readonly bookedMicros: bigint;
  /** An operator decided about it, who may have credited what the gateway calls invalid. */
  readonly isDecided?: boolean;
};

export type DepositStep = {
  readonly state: DepositState;
  /** gateway → primary. */
  readonly creditMicros: bigint;
  /** gateway → unallocated, until an operator decides. */
  readonly holdMicros: bigint;
  /** The gateway took back what was credited: the member is frozen until an operator has corrected it. */
  readonly isTakenBack: boolean;
};

/** Still waiting for the gateway: the reconciliation asks about these every time. */
export const openDepositStates = ['created', 'pending', 'underpaid'] as const satisfies readonly DepositState[];
/** Paying still makes sense. */
export const isPayable = (state: DepositState): boolean =>
  (openDepositStates as readonly DepositState[]).includes(state);

/**
 * What a deposit becomes, and which money moves, once the gateway was asked about its invoice (docs/product.md,
 * section 4). Only the invoice as it stands counts, never which event asked for the look: so events may come in any
 * order and as often as they like. Applying the same invoice again is a step that changes nothing.
 *
 * Money is booked once, by comparing what is confirmed with what is booked already: credited when the invoice settled
 * while the deposit was open, held in `unallocated` whenever it came short, late, or after crediting.
 *
 * Worked example: $100 asked, the invoice settled with $120 confirmed, nothing booked →
 * `{ state: 'credited', creditMicros: 120_000_000n, holdMicros: 0n }`. Seen again → no money. Another $30 arrives →
 * `{ state: 'review', creditMicros: 0n, holdMicros: 30_000_000n }`.
 */
export function followInvoice(deposit: DepositView, invoice: InvoiceView): DepositStep {
  assert(invoice.settledMicros >= 0n && invoice.settledMicros <= invoice.paidMicros, 'more confirmed than paid');
  if (isPayable(deposit.state)) return followOpen(deposit, invoice);
  if (deposit.state === 'credited') return followCredited(deposit, invoice);
  const isNews = invoice.paidMicros > 0n || invoice.unlike !== undefined;
  if (deposit.state === 'expired' && isNews) return hold('review', deposit, invoice);
  return isFresh(deposit, invoice) ? hold('review', deposit, invoice) : stay(deposit.state);
}

/**
 * The same for a deposit whose member closed the account meanwhile: what would be credited is held, for an operator to send
 * back. $100 credited become `{ state: 'review', creditMicros: 0n, holdMicros: 100_000_000n }`.
 */
export const holdCredit = (step: DepositStep): DepositStep =>
  step.creditMicros === 0n
    ? step
    : { ...step, state: 'review', creditMicros: 0n, holdMicros: step.holdMicros + step.creditMicros };

function followOpen(deposit: DepositView, invoice: InvoiceView): DepositStep {
  assert(deposit.bookedMicros === 0n, 'an open deposit has nothing booked');
  switch (invoice.status) {
    case 'New':
      return invoice.unlike === undefined ? stay(stateWhileNew(invoice)) : hold('review', deposit, invoice);
    case 'Processing':
      return stay('pending');
    case 'Settled':
      // Settled by hand at the gateway without a cent: nothing to credit, so a person looks.
      if (invoice.settledMicros === 0n) return stay('review');
      return settle(invoice);
    case 'Expired':
      return invoice.paidMicros === 0n && invoice.unlike === undefined
        ? stay('expired')
        : hold('review', deposit, invoice);
    case 'Invalid':
      return invoice.settledMicros === 0n && invoice.unlike === undefined
        ? stay('failed')
        : hold('review', deposit, invoice);
  }
}

/** What came as asked for is credited; the rest is held for a person. */
function settle({ settledMicros, unlike }: InvoiceView): DepositStep {
  const holdMicros = unlike?.heldMicros ?? 0n;
  const state = unlike === undefined ? 'credited' : 'review';
  return { state, creditMicros: settledMicros - holdMicros, holdMicros, isTakenBack: false };
}

/** A payment not yet confirmed is `pending`; confirmed and short is `underpaid`; replaced is `created` again. */
function stateWhileNew({ amountMicros, paidMicros, settledMicros }: InvoiceView): DepositState {
  if (paidMicros === 0n) return 'created';
  return settledMicros < paidMicros || paidMicros >= amountMicros ? 'pending' : 'underpaid';
}

function followCredited(deposit: DepositView, invoice: InvoiceView): DepositStep {
  const isCalledInvalid = invoice.status === 'Invalid' && deposit.isDecided !== true;
  const isTakenBack = isCalledInvalid || invoice.settledMicros < deposit.bookedMicros;
  if (isTakenBack) return { ...hold('review', deposit, invoice), isTakenBack };
  const isUnlike = invoice.unlike !== undefined && deposit.isDecided !== true;
  return isFresh(deposit, invoice) || isUnlike ? hold('review', deposit, invoice) : stay('credited');
}

const isFresh = (deposit: DepositView, invoice: InvoiceView) => invoice.settledMicros > deposit.bookedMicros;

const stay = (state: DepositState): DepositStep => ({ state, creditMicros: 0n, holdMicros: 0n, isTakenBack: false });

function hold(state: DepositState, deposit: DepositView, invoice: InvoiceView): DepositStep {
  const holdMicros = isFresh(deposit, invoice) ? invoice.settledMicros - deposit.bookedMicros : 0n;
  return { state, creditMicros: 0n, holdMicros, isTakenBack: false };
}
