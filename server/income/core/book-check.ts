/** One figure of the books, found in two ways. All figures are micros, but where `what` counts something. */
export type BookCheck = {
  /** `session 2026-03-04` */
  readonly subject: string;
  readonly what: string;
  readonly found: bigint;
  readonly expected: bigint;
  /** The most it may be, instead of what it has to be. */
  readonly isLimit?: true;
  /** The first one that is wrong: `member 17`. */
  readonly example?: string | null;
};

/** What does not add up: where, and the figures. */
type BookFault = { readonly subject: string; readonly message: string };

const holds = ({ found, expected, isLimit }: BookCheck) => (isLimit ? found <= expected : found === expected);

/**
 * What is wrong with a figure, or undefined. A weekly run that paid 5 of a pool of 4:
 * `{ subject: 'week 2026-03-02', message: 'paid is 5, more than 4' }`
 */
export function bookFault(check: BookCheck): BookFault | undefined {
  if (holds(check)) return undefined;
  const { subject, what, found, expected, isLimit, example } = check;
  const should = isLimit ? `more than ${expected}` : `not ${expected}`;
  return { subject, message: `${what} is ${found}, ${should}${example ? `: first ${example}` : ''}` };
}
