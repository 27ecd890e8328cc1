import type { OwnLimit as LimitReply, OwnLimits as LimitsReply } from '#contract/accounts/sign-in.ts';
import { toDollars } from '#contract/money.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type LimitMicros, limitsAt, type OwnLimit, type OwnLimits } from '../core/own-limits.ts';
import { findStoredLimits, lockStoredLimits } from './own-limit-sql.ts';

/** The limits of one's own that are in force; null is no limit and no pause. */
export type LimitsInForce = {
  /** Deposits in 7 days of real time. */
  readonly depositWeekMicros: LimitMicros;
  /** Realised loss in one day of market time. */
  readonly lossDayMicros: LimitMicros;
  /** Later than the moment it was asked for. */
  readonly pausedUntil: Date | null;
};

/** What a member limited themselves to (docs/product.md, section 8), in force at `now`, which is real time. */
export async function findOwnLimits(db: Db, memberId: bigint, now: Date): Promise<LimitsInForce> {
  return inForce(limitsAt(await findStoredLimits(db, memberId), now));
}

/**
 * The same, held until the transaction ends: whatever counts against a limit is counted one after the other, and a
 * change of the limit waits. Nothing is held for members who never set one.
 */
export async function lockOwnLimits(tx: Tx, memberId: bigint, now: Date): Promise<LimitsInForce> {
  return inForce(limitsAt(await lockStoredLimits(tx, memberId), now));
}

const inForce = ({ depositWeek, lossDay, pausedUntil }: OwnLimits): LimitsInForce => ({
  depositWeekMicros: depositWeek.micros,
  lossDayMicros: lossDay.micros,
  pausedUntil,
});

/** Limits as a reply shows them. */
export const showLimits = ({ depositWeek, lossDay, pausedUntil }: OwnLimits): LimitsReply => ({
  deposit_week: showLimit(depositWeek),
  loss_day: showLimit(lossDay),
  paused_until: pausedUntil?.toISOString() ?? null,
});

const showLimit = ({ micros, next }: OwnLimit): LimitReply => ({
  amount: dollars(micros),
  next: next && { amount: dollars(next.micros), at: next.at.toISOString() },
});

const dollars = (micros: LimitMicros): number | null => (micros === null ? null : toDollars(micros));
