import { BPS } from '#contract/fee-plan.ts';
import { shareOf } from '#contract/money.ts';

export type WeeklyQualification = {
  /** The company earns nothing. */
  readonly isCompany: boolean;
  /** The account was closed before the week was paid. */
  readonly isClosed: boolean;
  /** A trade settled in the last 30 days, as of the week's last session. */
  readonly isActive: boolean;
  readonly activeDirects: bigint;
  /** Required by the fee plan. */
  readonly neededDirects: number;
};

/**
 * Why a member does not qualify for the weekly income, or undefined (docs/product.md, section 6): it requires activity
 * and enough active directs.
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

/** Maximum that one member gets of a pool: of $100 at 1000 bps, $10. */
export const weeklyCap = (pool: bigint, capBps: number): bigint => shareOf(pool, BigInt(capBps), BigInt(BPS));
