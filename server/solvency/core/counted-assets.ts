/** Assets at one holder: as reported, and as booked in the ledger. In micros. */
export type Holding = {
  readonly state: 'simulated' | 'reported' | 'unknown';
  readonly booked: bigint;
  /** Null unless `reported`. */
  readonly reported: bigint | null;
  /** When it last said something, also when that is too long ago to count. */
  readonly at: Date | null;
};

/** A report that is older than this counts as unknown. */
const REPORT_COUNTS_MS = 3_600_000;

/**
 * A report of an hour ago still counts, a later one does not; whoever holds nothing real has nobody to report.
 *
 * Booked 100, 90 reported 20 minutes ago: `{ state: 'reported', booked: 100n, reported: 90n, … }`.
 */
export function holdingOf(
  booked: bigint,
  isReal: boolean,
  report: { readonly micros: bigint; readonly at: Date } | undefined,
  now: Date,
): Holding {
  const at = report?.at ?? null;
  if (!isReal) return { state: 'simulated', booked, reported: null, at: null };
  if (report === undefined || now.getTime() - report.at.getTime() > REPORT_COUNTS_MS)
    return { state: 'unknown', booked, reported: null, at };
  return { state: 'reported', booked, reported: report.micros, at };
}

/** Both together. Null where one of them is unknown: unknown is not zero. A simulated one stands with what is booked. */
export function reportedTotal(holdings: readonly Holding[]): bigint | null {
  let total = 0n;
  for (const { state, booked, reported } of holdings) {
    if (state === 'unknown') return null;
    total += reported ?? booked;
  }
  return total;
}

/**
 * What counts for the alarm (docs/product.md, section 1): the lower of booked and reported. Booked 100, reported 90:
 * 90. Booked 100, reported unknown: 100.
 */
export function countedAssets(holdings: readonly Holding[]): bigint {
  const booked = holdings.reduce((sum, holding) => sum + holding.booked, 0n);
  const reported = reportedTotal(holdings);
  return reported !== null && reported < booked ? reported : booked;
}
