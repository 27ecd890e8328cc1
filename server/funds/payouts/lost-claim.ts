import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';

/** Longer than all calls of one payout together may take: after that nobody is working on it any more. */
const LOST_AFTER_MS = 60_000;

/** Claims from before this instant are lost. */
export const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST_AFTER_MS);

export const isClaimLost = ({ payout_started_at }: WithdrawalRow, now: Date): boolean =>
  payout_started_at !== null && payout_started_at <= lostBefore(now);
