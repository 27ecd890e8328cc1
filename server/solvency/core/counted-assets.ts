/** Assets at one holder in micros: as reported, and as booked in the ledger. */
export type Holding = {
  readonly state: 'simulated' | 'reported' | 'unknown';
  readonly booked: bigint;
  /** Null unless `reported`. */
  readonly reported: bigint | null;
  /** Report less the balance booked at its time; null unless `reported`. */
  readonly deviation: bigint | null;
  /** Time of the last report, even if it is too old to count. */
  readonly at: Date | null;
};

/** An older report counts as unknown. */
const MAX_AGE_MS = 3_600_000;

/**
 * The state of a holding: a report counts for up to an hour, and a simulated holder reports nothing.
 *
 * Booked 100, 90 reported 20 minutes ago when 95 were booked: `{ state: 'reported', booked: 100n, reported: 90n,
 * deviation: -5n, … }`.
 */
export function holdingOf(
  booked: bigint,
  isReal: boolean,
  report: { readonly micros: bigint; readonly booked: bigint | null; readonly at: Date } | undefined,
  now: Date,
): Holding {
  const at = report?.at ?? null;
  if (!isReal) return { state: 'simulated', booked, reported: null, deviation: null, at: null };
  if (report === undefined || now.getTime() - report.at.getTime() > MAX_AGE_MS)
    return { state: 'unknown', booked, reported: null, deviation: null, at };
  const deviation = report.micros - (report.booked ?? booked);
  return { state: 'reported', booked, reported: report.micros, deviation, at };
}

/** Total of all holdings; null if one is unknown, which is not zero. Simulated ones count as booked. */
export function reportedTotal(holdings: readonly Holding[]): bigint | null {
  let total = 0n;
  for (const { state, booked, reported } of holdings) {
    if (state === 'unknown') return null;
    total += reported ?? booked;
  }
  return total;
}

/**
 * Assets that count for the alarm (docs/product.md, section 1): the lower of booked and reported, plus what was booked
 * since the report, as it is matched by new liabilities. Booked 100, reported 90: 90, and 140 after a deposit of 50.
 * Booked 100, reported unknown: 100.
 */
export function countedAssets(holdings: readonly Holding[]): bigint {
  const booked = holdings.reduce((sum, holding) => sum + holding.booked, 0n);
  if (holdings.some(({ state }) => state === 'unknown')) return booked;
  const deviation = holdings.reduce((sum, holding) => sum + (holding.deviation ?? 0n), 0n);
  return deviation < 0n ? booked + deviation : booked;
}
