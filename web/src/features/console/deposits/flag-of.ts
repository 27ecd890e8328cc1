import type { DeskDeposit } from '#contract/funds/review.ts';

/** What is odd about a deposit in review, as far as its figures say; the first that fits. */
export function flagOf({ state, member, held, amount, expires_at, updated_at }: DeskDeposit): string | undefined {
  if (state !== 'review') return undefined;
  if (member.frozen) return 'account frozen';
  if (held === 0) return 'nothing held';
  if (held < amount) return 'paid too little';
  if (held > amount) return 'paid too much';
  if (Date.parse(updated_at) > Date.parse(expires_at)) return 'paid late';
  return undefined;
}
