/** A figure computed in two independent ways, in micros unless `what` is a count. */
export type IncomeCheck = {
  /** `session 2026-03-04` */
  readonly subject: string;
  readonly what: string;
  readonly found: bigint;
  readonly expected: bigint;
  /** `expected` is a maximum instead of the exact figure. */
  readonly isLimit?: true;
  /** First mismatch: `member 17`. */
  readonly example?: string | null;
};

/**
 * The discrepancy of a check, or undefined. A weekly run that paid 5 of a pool of 4:
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
