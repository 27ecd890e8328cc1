import type { OwnLimit as LimitReply, OwnLimits as LimitsReply } from '#contract/accounts/sign-in.ts';
import { toDollars } from '#contract/money.ts';
import type { LimitMicros, OwnLimit, OwnLimits } from '../core/own-limits.ts';

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
