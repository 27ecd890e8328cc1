import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '#test/kit/property-runs.ts';
import {
  type BookedFill,
  type BookedTransfer,
  type Booking,
  keyOfBooking,
  matchStatement,
  type OpenLine,
} from './match-statement.ts';

const at = (days: number) => new Date(Date.UTC(2026, 2, 4) + days * 86_400_000);

const line = (more: Partial<OpenLine> = {}): OpenLine => ({
  id: 1n,
  kind: 'other',
  at: at(0),
  lineId: 'L1',
  symbol: null,
  orderId: null,
  side: null,
  quantity: null,
  cost: null,
  fee: '0',
  feeCoin: null,
  coin: 'USDT',
  amount: null,
  transaction: null,
  isExplained: false,
  ...more,
});
const same = { symbol: 'btc', orderId: 'O1', side: 'buy', quantity: '0.5', cost: '25000.5', feeCoin: 'BTC' } as const;
const fillLine = (more: Partial<OpenLine> = {}) =>
  line({ kind: 'fill', lineId: 'T1', coin: 'BTC', ...same, fee: '0.0005', ...more });
const fill = (more: Partial<BookedFill> = {}): BookedFill => ({
  kind: 'fill',
  batchId: 7n,
  tradeId: 'T1',
  at: at(0),
  ...same,
  fee: '0.0005',
  ...more,
});
const transferLine = (more: Partial<OpenLine> = {}) =>
  line({ kind: 'transfer_in', amount: '500', transaction: '0xAB12', ...more });
const move = (more: Partial<BookedTransfer> = {}): BookedTransfer => ({
  kind: 'transfer_in',
  transferId: 3n,
  at: at(0),
  amountMicros: 500_000_000n,
  transaction: 'bank-17',
  ...more,
});

/** The matched pairs, by ids of lines and bookings, and what is left. */
function outcome(lines: readonly OpenLine[], bookings: readonly Booking[]) {
  const { matched, differing, unmatched, missing } = matchStatement(lines, bookings, 'USDT');
  const named = (pairs: typeof matched) => pairs.map((pair) => `${pair.line.id} = ${keyOfBooking(pair.booking)}`);
  return {
    matched: named(matched),
    differing: named(differing),
    unmatched: unmatched.map(({ id }) => id),
    missing: missing.map(keyOfBooking),
  };
}
const nothing = { matched: [], differing: [], unmatched: [], missing: [] };

describe('a fill', () => {
  test.each<[string, Partial<OpenLine>, Partial<BookedFill>]>([
    ['as reported', {}, {}],
    ['however its numbers are formatted', { quantity: '0.50000000', cost: '25000.500', fee: '0.00050' }, {}],
    ['whatever coin no fee is in', { fee: '0.0' }, { fee: '0', feeCoin: null }],
  ])('matches the one we booked, %s', (_, more, booked) => {
    expect(outcome([fillLine(more)], [fill(booked)])).toEqual({ ...nothing, matched: ['1 = fill 7 T1'] });
  });

  test.each<[string, Partial<OpenLine>]>([
    ['quantity', { quantity: '0.50000001' }],
    ['dollars', { cost: '25000.49' }],
    ['fee', { fee: '0.0006' }],
    ['fee coin', { feeCoin: 'BNB' }],
    ['side', { side: 'sell' }],
    ['order', { orderId: 'O2' }],
  ])('with a different %s is a difference', (_, more) => {
    expect(outcome([fillLine(more)], [fill()])).toEqual({ ...nothing, differing: ['1 = fill 7 T1'] });
  });

  test('of another asset with the same id does not match', () => {
    const eth = fillLine({ symbol: 'eth', coin: 'ETH' });
    expect(outcome([eth], [fill()])).toEqual({ ...nothing, unmatched: [1n], missing: ['fill 7 T1'] });
  });

  test('of a pair that is not ours matches nothing, and neither does a line that is no trade', () => {
    const lines = [fillLine({ symbol: null }), line({ id: 2n, lineId: 'T1', amount: '-1' })];
    expect(outcome(lines, [fill()])).toEqual({ ...nothing, unmatched: [1n, 2n], missing: ['fill 7 T1'] });
  });
});

describe('a transfer', () => {
  test.each<[string, Partial<OpenLine>, Partial<BookedTransfer>]>([
    ['by the payment’s id, whenever', { at: at(-20) }, { transaction: '0xab12' }],
    ['by its amount within three days', { at: at(3) }, {}],
    ['by its amount three days before', { at: at(-3) }, {}],
    ['whatever explained it, by the payment’s id', { isExplained: true }, { transaction: '0xAB12' }],
    ['without an id', { transaction: null }, {}],
  ])('matches the move that we recorded, %s', (_, more, booked) => {
    expect(outcome([transferLine(more)], [move(booked)])).toEqual({ ...nothing, matched: ['1 = transfer 3'] });
  });

  test('back from the exchange matches a move back', () => {
    const back = { ...transferLine({ kind: 'transfer_out', amount: '-500' }) };
    expect(outcome([back], [move({ kind: 'transfer_out' })])).toEqual({ ...nothing, matched: ['1 = transfer 3'] });
  });

  test.each<[string, Partial<OpenLine>]>([
    ['more than three days apart', { at: at(3.01) }],
    ['of another amount', { amount: '500.000001' }],
    ['in the other direction', { kind: 'transfer_out', amount: '-500' }],
    ['of another coin', { coin: 'BTC' }],
    ['already explained', { isExplained: true }],
  ])('does not match if it is %s', (_, more) => {
    expect(outcome([transferLine(more)], [move()])).toEqual({ ...nothing, unmatched: [1n], missing: ['transfer 3'] });
  });

  test('with the payment’s id and another amount is a difference', () => {
    const lines = [transferLine({ amount: '499' })];
    expect(outcome(lines, [move({ transaction: '0xab12' })])).toEqual({ ...nothing, differing: ['1 = transfer 3'] });
  });

  test('of the same amount as others matches the oldest, after a match by id', () => {
    const lines = [
      transferLine({ id: 1n, at: at(2), transaction: 'x' }),
      transferLine({ id: 2n, at: at(1), transaction: 'y' }),
      transferLine({ id: 3n, at: at(2), transaction: 'named' }),
    ];
    const moves = [
      move({ transferId: 11n, at: at(0), transaction: 'named' }),
      move({ transferId: 12n, at: at(2) }),
      move({ transferId: 13n, at: at(1) }),
    ];
    expect(outcome(lines, moves)).toEqual({
      ...nothing,
      matched: ['3 = transfer 11', '2 = transfer 13', '1 = transfer 12'],
    });
  });
});

const amounts = fc.constantFrom('5', '10', '10.5');
const days = fc.integer({ min: 0, max: 8 }).map(at);
const payments = fc.constantFrom('a-1', 'b-2', 'c-3', 'd-4');
const anyLine = fc.record({
  kind: fc.constantFrom<OpenLine['kind']>('fill', 'transfer_in', 'transfer_out', 'other'),
  at: days,
  lineId: fc.constantFrom('T1', 'T2', 'T3', 'T4', 'T5'),
  coin: fc.constantFrom('USDT', 'BTC'),
  amount: amounts,
  transaction: fc.option(payments),
  isExplained: fc.boolean(),
});
const lists = fc.array(anyLine, { maxLength: 12 }).map((rows) =>
  rows.map(({ kind, amount, ...row }, index): OpenLine => {
    const id = BigInt(index + 1);
    if (kind === 'fill') return fillLine({ id, lineId: row.lineId, at: row.at, quantity: amount });
    return line({ id, kind, ...row, amount: kind === 'transfer_out' ? `-${amount}` : amount });
  }),
);
const anyBooking = fc.record({
  kind: fc.constantFrom<Booking['kind']>('fill', 'transfer_in', 'transfer_out'),
  at: days,
  tradeId: fc.constantFrom('T1', 'T2', 'T3', 'T4', 'T5'),
  amount: amounts,
  transaction: payments,
});
const books = fc.array(anyBooking, { maxLength: 12 }).map((rows) =>
  rows.map((row, index): Booking => {
    const id = BigInt(index + 1);
    if (row.kind === 'fill') return fill({ batchId: id, tradeId: row.tradeId, at: row.at, quantity: row.amount });
    return move({ ...row, kind: row.kind, transferId: id, amountMicros: BigInt(Number(row.amount) * 1e6) });
  }),
);

test('everything is matched once or listed, nothing twice, in whatever order and however often it is given', () => {
  fc.assert(
    fc.property(lists, books, fc.infiniteStream(fc.nat()), (lines, bookings, dice) => {
      const { matched, differing, unmatched, missing } = matchStatement(lines, bookings, 'USDT');
      const pairs = [...matched, ...differing];
      const seenLines = [...pairs.map((pair) => pair.line), ...unmatched].map(({ id }) => id);
      const seenBookings = [...pairs.map((pair) => pair.booking), ...missing].map(keyOfBooking);
      expect(seenLines.toSorted()).toEqual(lines.map(({ id }) => id).toSorted());
      expect(seenBookings.toSorted()).toEqual(bookings.map(keyOfBooking).toSorted());
      // No remaining line could match a remaining booking.
      for (const one of unmatched)
        for (const other of missing)
          expect(
            matchStatement([one], [other], 'USDT').matched.length +
              matchStatement([one], [other], 'USDT').differing.length,
          ).toBe(0);
      const shuffled = <T>(rows: readonly T[]) =>
        [...rows, ...rows]
          .map((row) => ({ row, place: dice.next().value as number }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ row }) => row);
      expect(outcome(shuffled(lines), shuffled(bookings))).toEqual(outcome(lines, bookings));
    }),
    { numRuns: runs(200) },
  );
});
