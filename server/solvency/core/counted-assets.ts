/** Assets at one holder: as reported, and as booked in the ledger. In micros. */
export type Holding = {
  readonly state: 'simulated' | 'reported' | 'unknown';
  readonly booked: bigint;
  /** Null unless `reported`. */
  readonly reported: bigint | null;
  /** By how much the report differed from the books of its own time; null unless `reported`. */
  readonly deviation: bigint | null;
  /** When it last said something, also when that is too long ago to count. */
  readonly at: Date | null;
};

/** A report that is older than this counts as unknown. */
const REPORT_COUNTS_MS = 3_600_000;

/**
 * A report of an hour ago still counts, a later one does not; whoever holds nothing real has nobody to report.
 *
 * Booked 100, 90 reported 20 minutes ago when 95 were booked: `{ state: 'reported', booked: 100n, reported: 90n, deviation: -5n, … }`.
 */
export function holdingOf(
  booked: bigint,
  isReal: boolean,
  report: { readonly micros: bigint; readonly booked: bigint | null; readonly at: Date } | undefined,
  now: Date,
): Holding {
  const at = report?.at ?? null;
  if (!isReal) return { state: 'simulated', booked, reported: null, deviation: null, at: null };
  if (report === undefined || now.getTime() - report.at.getTime() > REPORT_COUNTS_MS)
    return { state: 'unknown', booked, reported: null, deviation: null, at };
  const deviation = report.micros - (report.booked ?? booked);
  return { state: 'reported', booked, reported: report.micros, deviation, at };
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
 * What counts for the alarm (docs/product.md, section 1): the lower of booked and reported, with what was booked since the report:
 * what is owed for it is owed by now, too. Booked 100, reported 90: 90, and 140 once 50 more were deposited. Booked 100, reported
 * unknown: 100.
 */
export function countedAssets(holdings: readonly Holding[]): bigint {
  const booked = holdings.reduce((sum, holding) => sum + holding.booked, 0n);
  if (holdings.some(({ state }) => state === 'unknown')) return booked;
  const deviation = holdings.reduce((sum, holding) => sum + (holding.deviation ?? 0n), 0n);
  return deviation < 0n ? booked + deviation : booked;
}
