import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { toDollars } from '#contract/money.ts';
import { findOwnLimits } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { sumDepositsSince } from './deposit-week-sql.ts';

export type OwnWeek = DataOf<typeof funds.listDeposits>['own_week'];

const WEEK_MS = 7 * 24 * 3_600_000;

/** From when on deposits count against the own limit at `now`. */
export const ownWeekStart = (now: Date): Date => new Date(now.getTime() - WEEK_MS);

/** The member's own limit for deposits of a week with what is used of it, as a new deposit is measured; null without one. */
export async function findOwnWeek({ db, now }: Context, memberId: bigint): Promise<OwnWeek> {
  const { depositWeekMicros } = await findOwnLimits(db, memberId, now());
  if (depositWeekMicros === null) return null;
  const usedMicros = await sumDepositsSince(db, memberId, ownWeekStart(now()));
  return { limit: toDollars(depositWeekMicros), used: toDollars(usedMicros) };
}
