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

/** The most of a pool that one member gets: of 100 $ at 1000 basis points, 10 $. */
export const weeklyCap = (pool: bigint, capBps: number): bigint => shareOf(pool, BigInt(capBps), BigInt(BPS));
