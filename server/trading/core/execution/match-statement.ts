import { Exact, isSameQuantity, MICROS } from '../price.ts';

/** A line of the exchange's statement that is not matched yet; amounts are decimal text. */
export type OpenLine = {
  readonly id: bigint;
  readonly kind: 'fill' | 'transfer_in' | 'transfer_out' | 'other';
  readonly at: Date;
  /** The exchange's id of it. */
  readonly lineId: string;
  readonly symbol: string | null;
  readonly orderId: string | null;
  readonly side: string | null;
  readonly quantity: string | null;
  readonly cost: string | null;
  readonly fee: string;
  readonly feeCoin: string | null;
  readonly coin: string;
  /** Signed. */
  readonly amount: string | null;
  readonly transaction: string | null;
  /** Two operators have explained it: only its own id is proof enough to match it still. */
  readonly isExplained: boolean;
};

/** A fill that the ledger has. */
export type BookedFill = {
  readonly kind: 'fill';
  readonly batchId: bigint;
  readonly tradeId: string;
  readonly at: Date;
  readonly symbol: string;
  readonly orderId: string | null;
  readonly side: string;
  readonly quantity: string;
  readonly cost: string;
  readonly fee: string;
  readonly feeCoin: string | null;
};

/** A treasury move to the exchange, or from it. */
export type BookedTransfer = {
  readonly kind: 'transfer_in' | 'transfer_out';
  readonly transferId: bigint;
  readonly at: Date;
  readonly amountMicros: bigint;
  readonly transaction: string;
};

export type Booking = BookedFill | BookedTransfer;

export type Pair = { readonly line: OpenLine; readonly booking: Booking };

export type StatementMatches = {
  /** The same thing in both. */
  readonly matched: readonly Pair[];
  /** The same id, and other figures. */
  readonly differing: readonly Pair[];
  /** Of the statement, and not of ours; of ours, and not of the statement. */
  readonly unmatched: readonly OpenLine[];
  readonly missing: readonly Booking[];
};

/** A payment that is recorded under another name than the exchange's may be recorded so long before or after it. */
const TRANSFER_APART_MS = 3 * 86_400_000;

export const keyOfBooking = (booking: Booking): string =>
  booking.kind === 'fill' ? `fill ${booking.batchId} ${booking.tradeId}` : `transfer ${booking.transferId}`;

/**
 * Says which lines of an exchange's statement are which of our bookings, each at most once. A fill is known by its id and its order's; a
 * transfer by the payment's id, or else by the same amount within three days, the oldest with the oldest. The order in which they are
 * given, and whether one is given twice, changes nothing.
 *
 * A deposit of 500 dollars on Monday and a move of 500 to the exchange recorded on Tuesday are the same; one recorded on Friday is not.
 *
 * @param dollar the exchange's name of it: transfers of other coins match nothing
 */
export function matchStatement(
  lines: readonly OpenLine[],
  bookings: readonly Booking[],
  dollar: string,
): StatementMatches {
  const openLines = new Map(sorted(lines, ({ id }) => String(id)).map((line) => [line.id, line]));
  const openBookings = new Map(sorted(bookings, keyOfBooking).map((one) => [keyOfBooking(one), one]));
  const matched: Pair[] = [];
  const differing: Pair[] = [];
  const take = (pairs: Pair[], line: OpenLine, booking: Booking) => {
    pairs.push({ line, booking });
    openLines.delete(line.id);
    openBookings.delete(keyOfBooking(booking));
  };
  const pairUp = (pairs: Pair[], isPair: (line: OpenLine, booking: Booking) => boolean, nameOf: Namer) => {
    const byName = Map.groupBy(openBookings.values(), (booking) => nameOf(booking));
    for (const line of openLines.values()) {
      const candidates = byName.get(nameOf(line)) ?? [];
      const booking = candidates.find((one) => openBookings.has(keyOfBooking(one)) && isPair(line, one));
      if (booking !== undefined) take(pairs, line, booking);
    }
  };

  pairUp(matched, (line, booking) => isSameFill(line, booking), fillName);
  pairUp(differing, (line, booking) => line.kind === 'fill' && booking.kind === 'fill', fillName);
  const named = transferName(dollar);
  pairUp(matched, (line, booking) => isSameAmount(line, booking) && isSamePayment(line, booking), named);
  pairUp(differing, isSamePayment, named);
  pairUp(
    matched,
    (line, booking) => !line.isExplained && isSameAmount(line, booking) && isNear(line.at, booking.at),
    named,
  );
  return {
    matched,
    differing,
    unmatched: [...openLines.values()],
    missing: [...openBookings.values()],
  };
}

type Namer = (one: OpenLine | Booking) => string | undefined;

/** Oldest first, and always in the same order. */
const sorted = <T extends { readonly at: Date }>(rows: readonly T[], keyOf: (row: T) => string): T[] =>
  rows.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() || (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0),
  );

/** Ids of fills are unique within their asset. Undefined for what is no fill, which therefore finds none. */
const fillName: Namer = (one) =>
  one.kind === 'fill' ? `${one.symbol} ${'tradeId' in one ? one.tradeId : (one as OpenLine).lineId}` : undefined;

/** Of lines and moves in the same direction. */
const transferName =
  (dollar: string): Namer =>
  (one) =>
    (one.kind === 'transfer_in' || one.kind === 'transfer_out') && (!('coin' in one) || one.coin === dollar)
      ? one.kind
      : undefined;

function isSameFill(line: OpenLine, booking: Booking): boolean {
  if (line.kind !== 'fill' || booking.kind !== 'fill') return false;
  return (
    line.orderId === booking.orderId &&
    line.side === booking.side &&
    isSameQuantity(line.quantity ?? '0', booking.quantity) &&
    isSameQuantity(line.cost ?? '0', booking.cost) &&
    isSameQuantity(line.fee, booking.fee) &&
    (line.feeCoin === booking.feeCoin || isSameQuantity(line.fee, '0'))
  );
}

const isSameAmount = (line: OpenLine, booking: Booking): boolean =>
  booking.kind !== 'fill' && new Exact(line.amount ?? 0).abs().times(MICROS).eq(booking.amountMicros.toString());

const isSamePayment = (line: OpenLine, booking: Booking): boolean =>
  booking.kind !== 'fill' &&
  line.transaction !== null &&
  line.transaction.trim().toLowerCase() === booking.transaction.trim().toLowerCase();

const isNear = (one: Date, other: Date): boolean => Math.abs(one.getTime() - other.getTime()) <= TRANSFER_APART_MS;
