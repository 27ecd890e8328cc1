import { writeDay, writeMonth } from '#contract/day-text.ts';
import { formatRounded } from '#contract/money.ts';
import { english } from '#contract/texts.ts';
import { weekName } from './periods.ts';
import { rankName, rankTitle } from './rank.ts';

/**
 * Notification of a session's bonuses, one for all kinds together.
 *
 * `bonusMessage('2026-03-04', 1_234_500n)` is `Session of 4 Mar 2026: $1.2345 from the fees of your team.`
 */
export const bonusMessage = (day: string, micros: bigint): string =>
  english.t`Session of ${writeDay(day)}: ${formatRounded(micros)} from the fees of your team.`;

/**
 * Notifications of weeks, months and rewards state what was paid and from which pool, without any promise.
 *
 * `weeklyMessage({ startsOn: '2026-03-02', paid: 2_177_150n })` is `Week 2026-W10: $2.1772 from the weekly pool.`
 */
export const weeklyMessage = (week: { readonly startsOn: string; readonly paid: bigint }): string =>
  english.t`Week ${weekName(week.startsOn)}: ${formatRounded(week.paid)} from the weekly pool.`;

/** `March 2026: $2.00 from the monthly pool, rank Bronze.` */
export const monthlyMessage = (income: {
  readonly month: string;
  readonly rank: number;
  readonly paid: bigint;
}): string =>
  english.t`${writeMonth(income.month)}: ${formatRounded(income.paid)} from the monthly pool, rank ${titleOf(income.rank)}.`;

/** `Your team's volume of March 2026 reached Bronze. Its reward can be claimed.` */
export const claimableMessage = (reached: { readonly month: string; readonly rank: number }): string =>
  english.t`Your team's volume of ${writeMonth(reached.month)} reached ${titleOf(reached.rank)}. Its reward can be claimed.`;

/** `Reward Bronze: $1.00 from the rewards pool.` */
export const rewardMessage = (reward: { readonly rank: number; readonly paid: bigint }): string =>
  english.t`Reward ${titleOf(reward.rank)}: ${formatRounded(reward.paid)} from the rewards pool.`;

const titleOf = (rank: number): string => rankTitle(rankName(rank));
