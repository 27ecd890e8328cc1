/** One figure, computed in two independent ways. All figures are micros, unless `what` counts something. */
export type IncomeCheck = {
  /** `session 2026-03-04` */
  readonly subject: string;
  readonly what: string;
  readonly found: bigint;
  readonly expected: bigint;
  /** The most it may be, instead of what it has to be. */
  readonly isLimit?: true;
  /** The first one that differs: `member 17`. */
  readonly example?: string | null;
};

/**
 * The discrepancy of a figure, or undefined. A weekly run that paid 5 of a pool of 4:
 * `{ subject: 'week 2026-03-02', message: 'paid is 5, expected at most 4' }`
 */
export function findDiscrepancy(
  check: IncomeCheck,
): { readonly subject: string; readonly message: string } | undefined {
  const { subject, what, found, expected, isLimit, example } = check;
  if (isLimit ? found <= expected : found === expected) return undefined;
  const limit = isLimit ? 'at most ' : '';
  return {
    subject,
    message: `${what} is ${found}, expected ${limit}${expected}${example ? `; first: ${example}` : ''}`,
  };
}
