import { BPS } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

/** Why a member gets nothing of a week; undefined when the member qualifies. */
export type WeeklyQualification = {
  /** The company, which earns nothing. */
  readonly isCompany: boolean;
  /** The account was closed before the week was paid. */
  readonly isClosed: boolean;
  /** A trade settled in the last 30 days, as of the week's last session. */
  readonly isActive: boolean;
  readonly activeDirects: bigint;
  /** What the fee plan takes. */
  readonly neededDirects: number;
};

/**
 * Who qualifies for the weekly income (docs/product.md, section 6): active members with enough active directs.
 * An active member with 2 active directs of 3 needed: `'directs'`.
 */
export function findWeeklyReason(
  member: WeeklyQualification,
): 'company' | 'closed' | 'inactive' | 'directs' | undefined {
  if (member.isCompany) return 'company';
  if (member.isClosed) return 'closed';
  if (!member.isActive) return 'inactive';
  return member.activeDirects < BigInt(member.neededDirects) ? 'directs' : undefined;
}

export type WeeklyShare = {
  /** The pool in proportion to team volume, and what is paid of it: no more than the cap. Micros. */
  readonly nominal: bigint;
  readonly paid: bigint;
};

/**
 * What of the weekly pool goes to one who qualified (docs/product.md, section 6): floor(pool × min(volume ÷ total,
 * cap)). There is no second pass: what the cap holds back stays in the pool.
 *
 * Of a pool of 100 $, 30 $ volume of 400 $ that qualify give 7.50 $, nominal and paid. 100 $ volume give nominally 25 $, but at
 * a cap of 10 % no more than 10 $ are paid. The cut is down to the micro: 1 ÷ 3 of 1 $ is 333 333 micros.
 *
 * `weeklyRules` in `periods/weekly.ts` says the same in SQL; a test compares the two.
 *
 * @param total team volume of all who qualified, the member's own included
 */
export function weeklyShare(week: {
  readonly pool: bigint;
  readonly volume: bigint;
  readonly total: bigint;
  readonly capBps: number;
}): WeeklyShare {
  const nominal = shareOf(week.pool, week.volume, week.total);
  const cap = weeklyCap(week.pool, week.capBps);
  return { nominal, paid: nominal < cap ? nominal : cap };
}

/** The most of a pool that one member gets: of 100 $ at 1000 basis points, 10 $. */
export const weeklyCap = (pool: bigint, capBps: number): bigint => shareOf(pool, BigInt(capBps), BigInt(BPS));
