import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DepositState, depositStates } from '#contract/funds/deposits.ts';
import {
  type DepositView,
  followInvoice,
  type InvoiceStatus,
  type InvoiceView,
  invoiceStatuses,
  openDepositStates,
} from './follow-invoice.ts';

const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const invoice = (status: InvoiceStatus, paid: number, settled = paid): InvoiceView => ({
  status,
  amountMicros: usd(100),
  paidMicros: usd(paid),
  settledMicros: usd(settled),
});

/** from, booked → invoice: status, paid, settled → to, credited, held */
type Row = [DepositState, number, InvoiceStatus, number, number, DepositState, number, number];

const openRows: Row[] = openDepositStates.flatMap((from): Row[] => [
  [from, 0, 'New', 0, 0, 'created', 0, 0],
  [from, 0, 'New', 40, 0, 'pending', 0, 0],
  [from, 0, 'New', 40, 40, 'underpaid', 0, 0],
  [from, 0, 'New', 100, 40, 'pending', 0, 0],
  [from, 0, 'New', 100, 100, 'pending', 0, 0],
  [from, 0, 'Processing', 100, 0, 'pending', 0, 0],
  [from, 0, 'Processing', 100, 100, 'pending', 0, 0],
  [from, 0, 'Settled', 100, 100, 'credited', 100, 0],
  [from, 0, 'Settled', 120, 120, 'credited', 120, 0],
  [from, 0, 'Settled', 120, 100, 'credited', 100, 0],
  [from, 0, 'Settled', 99, 99, 'credited', 99, 0],
  [from, 0, 'Settled', 0, 0, 'review', 0, 0],
  [from, 0, 'Expired', 0, 0, 'expired', 0, 0],
  [from, 0, 'Expired', 40, 40, 'review', 0, 40],
  [from, 0, 'Expired', 40, 0, 'review', 0, 0],
  [from, 0, 'Expired', 100, 100, 'review', 0, 100],
  [from, 0, 'Invalid', 0, 0, 'failed', 0, 0],
  [from, 0, 'Invalid', 100, 0, 'failed', 0, 0],
  [from, 0, 'Invalid', 100, 40, 'review', 0, 40],
]);

const closedRows: Row[] = [
  ['credited', 100, 'Settled', 100, 100, 'credited', 0, 0],
  ['credited', 100, 'Settled', 150, 150, 'review', 0, 50],
  ['credited', 100, 'Settled', 150, 100, 'credited', 0, 0],
  ['credited', 100, 'Processing', 100, 100, 'credited', 0, 0],
  ['expired', 0, 'Expired', 0, 0, 'expired', 0, 0],
  ['expired', 0, 'Expired', 100, 0, 'review', 0, 0],
  ['expired', 0, 'Expired', 100, 100, 'review', 0, 100],
  ['expired', 0, 'New', 0, 0, 'expired', 0, 0],
  ['expired', 0, 'Settled', 100, 100, 'review', 0, 100],
  ['failed', 0, 'Invalid', 100, 0, 'failed', 0, 0],
  ['failed', 0, 'Invalid', 100, 100, 'review', 0, 100],
  ['review', 40, 'Expired', 40, 40, 'review', 0, 0],
  ['review', 40, 'Expired', 100, 100, 'review', 0, 60],
  ['review', 0, 'Settled', 100, 100, 'review', 0, 100],
  ['refunded', 40, 'Expired', 40, 40, 'refunded', 0, 0],
  ['refunded', 40, 'Expired', 50, 50, 'review', 0, 10],
  ['rejected', 40, 'Expired', 40, 40, 'rejected', 0, 0],
  ['rejected', 40, 'Invalid', 40, 0, 'rejected', 0, 0],
];

describe('one look at the invoice', () => {
  test.each([...openRows, ...closedRows])(
    '%s with $%i booked, invoice %s paid $%i of which $%i confirmed → %s, credit $%i, hold $%i',
    (from, booked, status, paid, settled, to, credit, hold) => {
      expect(followInvoice({ state: from, bookedMicros: usd(booked) }, invoice(status, paid, settled))).toEqual({
        state: to,
        creditMicros: usd(credit),
        holdMicros: usd(hold),
        isReversed: false,
      });
    },
  );

  test.each<[string, InvoiceView]>([
    ['invalid at the gateway', invoice('Invalid', 100, 0)],
    ['invalid with the money still shown', invoice('Invalid', 100, 100)],
    ['less confirmed than was credited', invoice('Settled', 60, 60)],
  ])('after crediting, %s freezes the member and moves no money', (_name, seen) => {
    const step = followInvoice({ state: 'credited', bookedMicros: usd(100) }, seen);
    expect(step).toEqual({ state: 'review', creditMicros: 0n, holdMicros: 0n, isReversed: true });
    expect(followInvoice({ state: 'review', bookedMicros: usd(100) }, seen).isReversed).toBe(false);
  });

  test.each<DepositState>(['review', 'refunded', 'rejected'])(
    'what was credited before it came to be %s and is taken back freezes the member, once',
    (state) => {
      const deposit = { state, bookedMicros: usd(130), coveredMicros: usd(100) };
      // An operator refunds the rest at the gateway before it is recorded here.
      expect(followInvoice(deposit, invoice('Settled', 100))).toMatchObject({ state, isReversed: false });
      const reversed = { state: 'review', creditMicros: 0n, holdMicros: 0n, isReversed: true };
      expect(followInvoice(deposit, invoice('Settled', 30))).toEqual(reversed);
      expect(followInvoice({ ...deposit, coveredMicros: 0n }, invoice('Settled', 30))).toMatchObject({
        state,
        isReversed: false,
      });
    },
  );

  test('a gateway that confirms more than was paid is an error, not money', () => {
    expect(() => followInvoice({ state: 'created', bookedMicros: 0n }, invoice('Settled', 10, 20))).toThrow(
      'more confirmed than paid',
    );
  });
});

/** The transitions of docs/product.md, section 4; polling may miss intermediate states, so a step is a path of them. */
const arrows: Record<DepositState, readonly DepositState[]> = {
  created: ['pending', 'expired', 'failed'],
  pending: ['created', 'underpaid', 'credited', 'review', 'failed'],
  underpaid: ['pending', 'expired', 'review', 'failed'],
  expired: ['review'],
  credited: ['review'],
  failed: ['review'],
  review: ['credited', 'refunded', 'rejected'],
  refunded: ['review'],
  rejected: ['review'],
};

function canReach(from: DepositState, to: DepositState, seen = new Set<DepositState>()): boolean {
  if (from === to) return true;
  seen.add(from);
  return arrows[from].some((next) => !seen.has(next) && canReach(next, to, seen));
}

const anyAmount = fc.bigInt({ min: 0n, max: usd(300) });
const anyInvoice = fc
  .record({ status: fc.constantFrom(...invoiceStatuses), paidMicros: anyAmount, unsettled: anyAmount })
  .map(({ status, paidMicros, unsettled }): InvoiceView => {
    const settledMicros = paidMicros > unsettled ? paidMicros - unsettled : 0n;
    return { status, amountMicros: usd(100), paidMicros, settledMicros };
  });

const take = (deposit: DepositView, seen: InvoiceView) => {
  const step = followInvoice(deposit, seen);
  return {
    step,
    next: { state: step.state, bookedMicros: deposit.bookedMicros + step.creditMicros + step.holdMicros },
  };
};
const begin: DepositView = { state: 'created', bookedMicros: 0n };

// With events lost, repeated and late: gateways/btcpay/any-order.pg.test.ts.
describe('any sequence of looks', () => {
  test('follows the allowed transitions, books nothing twice and nothing unconfirmed', () => {
    fc.assert(
      fc.property(fc.array(anyInvoice, { maxLength: 12 }), (looks) => {
        let deposit = begin;
        let maxSettled = 0n;
        let credits = 0;
        for (const seen of looks) {
          const { step, next } = take(deposit, seen);
          expect(canReach(deposit.state, next.state), `${deposit.state} → ${next.state}`).toBe(true);
          if (step.creditMicros > 0n) credits += 1;
          if (seen.settledMicros > maxSettled) maxSettled = seen.settledMicros;
          expect(next.bookedMicros).toBeLessThanOrEqual(maxSettled);
          expect(next.bookedMicros).toBeGreaterThanOrEqual(deposit.bookedMicros);
          deposit = next;
        }
        expect(credits).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('applying the same invoice again changes nothing', () => {
    const anyDeposit = fc.record({ state: fc.constantFrom(...depositStates), bookedMicros: anyAmount });
    fc.assert(
      fc.property(anyDeposit, anyInvoice, ({ state, bookedMicros }, seen) => {
        const isOpen = (openDepositStates as readonly string[]).includes(state);
        const { next } = take({ state, bookedMicros: isOpen ? 0n : bookedMicros }, seen);
        const again = take(next, seen);
        expect(again.next).toEqual(next);
        expect(again.step).toMatchObject({ creditMicros: 0n, holdMicros: 0n, isReversed: false });
      }),
    );
  });
});

describe('a payment that does not match the invoice', () => {
  const mismatch = (view: InvoiceView, held: number): InvoiceView => ({ ...view, mismatch: { heldMicros: usd(held) } });
  const follow = (state: DepositState, booked: number, view: InvoiceView, isDecided = false) =>
    followInvoice({ state, bookedMicros: usd(booked), isDecided }, view);
  const step = (state: DepositState, credit: number, hold: number) => ({
    state,
    creditMicros: usd(credit),
    holdMicros: usd(hold),
    isReversed: false,
  });

  test('is held beside what is credited', () => {
    expect(follow('pending', 0, mismatch(invoice('Settled', 140), 40))).toEqual(step('review', 100, 40));
    expect(follow('credited', 100, mismatch(invoice('Settled', 140), 40))).toEqual(step('review', 0, 40));
    expect(follow('review', 140, mismatch(invoice('Settled', 140), 40))).toEqual(step('review', 0, 0));
  });

  test('ends the wait of a deposit that nothing else was paid for, but not a confirmation', () => {
    expect(follow('created', 0, mismatch(invoice('New', 40), 40))).toEqual(step('review', 0, 40));
    expect(follow('underpaid', 0, mismatch(invoice('New', 100), 40))).toEqual(step('review', 0, 100));
    expect(follow('pending', 0, mismatch(invoice('Processing', 140, 40), 40))).toEqual(step('pending', 0, 0));
  });

  test('is a person\u2019s to look at also without a known value, once', () => {
    for (const status of ['New', 'Expired', 'Invalid'] as const)
      expect(follow('created', 0, mismatch(invoice(status, 0), 0))).toEqual(step('review', 0, 0));
    expect(follow('expired', 0, mismatch(invoice('Expired', 0), 0))).toEqual(step('review', 0, 0));
    expect(follow('credited', 100, mismatch(invoice('Settled', 100), 0))).toEqual(step('review', 0, 0));
    expect(follow('credited', 100, mismatch(invoice('Settled', 100), 0), true)).toEqual(step('credited', 0, 0));
  });
});
