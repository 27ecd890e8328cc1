import { Exact, isSameQuantity, MICROS } from '../price.ts';

/** An unmatched line of the exchange's statement; amounts are decimal text. */
export type OpenLine = {
  readonly id: bigint;
  readonly kind: 'fill' | 'transfer_in' | 'transfer_out' | 'other';
  readonly at: Date;
  /** The exchange's id of the line. */
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
  /** Two operators have explained it: from then on only its own id can still match it. */
  readonly isExplained: boolean;
};

/** A fill in the ledger. */
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

/** A treasury move to or from the exchange. */
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
  /** Same id or payment, same figures. */
  readonly matched: readonly Pair[];
  /** Same id, different figures. */
  readonly differing: readonly Pair[];
  /** Only in the statement; only in our bookings. */
  readonly unmatched: readonly OpenLine[];
  readonly missing: readonly Booking[];
};

/** A payment recorded under another id may be recorded this long before or after the exchange's line. */
const MAX_TRANSFER_GAP_MS = 3 * 86_400_000;

export const keyOfBooking = (booking: Booking): string =>
  booking.kind === 'fill' ? `fill ${booking.batchId} ${booking.tradeId}` : `transfer ${booking.transferId}`;

/**
 * Matches lines of an exchange's statement with our bookings, each at most once. A fill is identified by its id and
 * order id; a transfer by the payment id, or else by the same amount within three days, oldest first. Neither input
 * order nor duplicates affect the result.
 *
 * A deposit of 500 dollars on Monday matches a move of 500 to the exchange recorded on Tuesday, but not one recorded on
 * Friday.
 *
 * @param dollar the exchange's name for the dollar: transfers of other coins match nothing
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
  const pair = (pairs: Pair[], line: OpenLine, booking: Booking) => {
    pairs.push({ line, booking });
    openLines.delete(line.id);
    openBookings.delete(keyOfBooking(booking));
  };
  const pairUp = (pairs: Pair[], isPair: (line: OpenLine, booking: Booking) => boolean, nameOf: Namer) => {
    const byName = Map.groupBy(openBookings.values(), (booking) => nameOf(booking));
    for (const line of openLines.values()) {
      const candidates = byName.get(nameOf(line)) ?? [];
      const booking = candidates.find((one) => openBookings.has(keyOfBooking(one)) && isPair(line, one));
      if (booking !== undefined) pair(pairs, line, booking);
    }
  };

  pairUp(matched, (line, booking) => isSameFill(line, booking), fillName);
  pairUp(differing, (line, booking) => line.kind === 'fill' && booking.kind === 'fill', fillName);
  const nameTransfer = transferName(dollar);
  pairUp(matched, (line, booking) => isSameAmount(line, booking) && isSamePayment(line, booking), nameTransfer);
  pairUp(differing, isSamePayment, nameTransfer);
  pairUp(
    matched,
    (line, booking) => !line.isExplained && isSameAmount(line, booking) && isNear(line.at, booking.at),
    nameTransfer,
  );
  return {
    matched,
    differing,
    unmatched: [...openLines.values()],
    missing: [...openBookings.values()],
  };
}

type Namer = (one: OpenLine | Booking) => string | undefined;

/** Oldest first, in a deterministic order. */
const sorted = <T extends { readonly at: Date }>(rows: readonly T[], keyOf: (row: T) => string): T[] =>
  rows.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() || (keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0),
  );

/** Fill ids are unique within their asset. Undefined for anything but a fill. */
const fillName: Namer = (one) =>
  one.kind === 'fill' ? `${one.symbol} ${'tradeId' in one ? one.tradeId : (one as OpenLine).lineId}` : undefined;

/** Lines and moves in the same direction share a name. */
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

const isNear = (one: Date, other: Date): boolean => Math.abs(one.getTime() - other.getTime()) <= MAX_TRANSFER_GAP_MS;
