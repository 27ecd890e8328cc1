import assert from 'node:assert';
import { writeMinute } from '#contract/day-text.ts';
import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { ownLimitRules } from '#contract/rules.ts';
import { english } from '#contract/texts.ts';

const { t } = english;

/** A limit in micros, or null for none. */
export type LimitMicros = bigint | null;

export type OwnLimit = {
  /** In force. */
  readonly micros: LimitMicros;
  /** A pending change to a higher limit, or to none. */
  readonly next: { readonly micros: LimitMicros; readonly at: Date } | null;
};

/** Self-imposed limits of a member (docs/product.md, section 8). */
export type OwnLimits = {
  /** Deposits in 7 days of real time. */
  readonly depositWeek: OwnLimit;
  /** Realised loss in one day of market time. */
  readonly lossDay: OwnLimit;
  /** No trading and no deposits until then; null without a pause. */
  readonly pausedUntil: Date | null;
};

/** A requested change; absent fields do not change. */
export type LimitChange = {
  readonly depositWeekMicros?: LimitMicros | undefined;
  readonly lossDayMicros?: LimitMicros | undefined;
  /** From now on. */
  readonly pauseDays?: number | undefined;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const noLimit: OwnLimit = { micros: null, next: null };

/** For a member who never set one. */
export const noOwnLimits: OwnLimits = { depositWeek: noLimit, lossDay: noLimit, pausedUntil: null };

/**
 * The limits at `now`: a pending change that is due becomes the limit, and a pause that is over is removed. 100 with
 * 500 from 14:00 is 100 at 13:59:59 and 500 at 14:00:00.
 */
export const limitsAt = (limits: OwnLimits, now: Date): OwnLimits => ({
  depositWeek: limitAt(limits.depositWeek, now),
  lossDay: limitAt(limits.lossDay, now),
  pausedUntil: limits.pausedUntil !== null && limits.pausedUntil > now ? limits.pausedUntil : null,
});

const limitAt = ({ micros, next }: OwnLimit, now: Date): OwnLimit =>
  next !== null && next.at <= now ? { micros: next.micros, next: null } : { micros, next };

/**
 * Why a change is refused, or undefined. A pause can be extended, never shortened: with 3 days left, 7 from now are
 * allowed and 2 are `pause_shortened`. Limits can change either way; higher ones are delayed.
 *
 * @param limits as of `now`
 */
export function refuseChange(limits: OwnLimits, change: LimitChange, now: Date): RefusalCode | undefined {
  if (change.pauseDays === undefined || limits.pausedUntil === null) return undefined;
  return pauseEnd(change.pauseDays, now) < limits.pausedUntil ? 'pause_shortened' : undefined;
}

/**
 * Which limit a change would relax, or undefined. Only the member may relax one: an operator may lower $100 a week to
 * $50, but not raise it to $500 or remove it.
 *
 * @param limits as of now
 */
export function findLoosened(limits: OwnLimits, change: LimitChange): 'deposit_week' | 'loss_day' | undefined {
  if (isLooserThan(limits.depositWeek, change.depositWeekMicros)) return 'deposit_week';
  return isLooserThan(limits.lossDay, change.lossDayMicros) ? 'loss_day' : undefined;
}

const isLooserThan = (limit: OwnLimit, wanted: LimitMicros | undefined): boolean =>
  wanted !== undefined && isLooser(wanted, limit.micros);

/**
 * The limits after a change (docs/product.md, section 8). A first or stricter limit applies immediately; a relaxed or
 * removed one after 24 hours, rounded up to the minute. $100 a week raised to $500 at noon is $100 now and $500 from
 * noon tomorrow; lowered to $50 after that, it is $50 immediately and nothing is pending.
 *
 * @param limits as of `now`
 */
export const changeLimits = (limits: OwnLimits, change: LimitChange, now: Date): OwnLimits => ({
  depositWeek: changeLimit(limits.depositWeek, change.depositWeekMicros, now),
  lossDay: changeLimit(limits.lossDay, change.lossDayMicros, now),
  pausedUntil: change.pauseDays === undefined ? limits.pausedUntil : pauseEnd(change.pauseDays, now),
});

function changeLimit(limit: OwnLimit, wanted: LimitMicros | undefined, now: Date): OwnLimit {
  if (wanted === undefined) return limit;
  if (!isLooser(wanted, limit.micros)) return { micros: wanted, next: null };
  // No higher than the pending limit: the pending time stays.
  const { next } = limit;
  const keepsTime = next !== null && !isLooser(wanted, next.micros);
  const at = keepsTime ? next.at : wholeMinute(now.getTime() + ownLimitRules.loosenAfterHours * HOUR_MS);
  return { micros: limit.micros, next: { micros: wanted, at } };
}

/** Whether `one` permits more than `other`; no limit permits the most. */
const isLooser = (one: LimitMicros, other: LimitMicros): boolean => other !== null && (one === null || one > other);

const pauseEnd = (days: number, now: Date): Date => wholeMinute(now.getTime() + days * DAY_MS);

/** Rounded up, because screens and messages show minutes. */
const wholeMinute = (ms: number): Date => new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);

/**
 * The notification of a change: one sentence for each limit that changed, none if nothing did. A higher deposit limit
 * requested on 4 March at noon: "Your weekly deposit limit rises from $100 to $500 on 5 Mar 2026, 12:00 UTC."
 */
export function describeChange(before: OwnLimits, after: OwnLimits): string[] {
  return [
    ...describeLimit(before.depositWeek, after.depositWeek, t`weekly deposit limit`),
    ...describeLimit(before.lossDay, after.lossDay, t`loss limit per market day`),
    ...describePause(before.pausedUntil, after.pausedUntil),
  ];
}

function describeLimit(before: OwnLimit, after: OwnLimit, name: string): string[] {
  if (isSame(before, after)) return [];
  assert(after.micros !== null, 'a limit ends with time, never by a change');
  const now = formatLimit(after.micros);
  if (after.next === null) {
    return [after.micros === before.micros ? t`Your ${name} stays ${now}.` : t`Your ${name} is now ${now}.`];
  }
  const from = writeMinute(after.next.at);
  if (after.next.micros === null) return [t`Your ${name} of ${now} ends on ${from}.`];
  return [t`Your ${name} rises from ${now} to ${formatLimit(after.next.micros)} on ${from}.`];
}

const describePause = (before: Date | null, after: Date | null): string[] =>
  after === null || before?.getTime() === after.getTime()
    ? []
    : [t`Trading and deposits are paused until ${writeMinute(after)}.`];

const isSame = (one: OwnLimit, other: OwnLimit): boolean =>
  one.micros === other.micros &&
  one.next?.micros === other.next?.micros &&
  one.next?.at.getTime() === other.next?.at.getTime();

/** Limits are whole dollars. `formatLimit(1_500_000_000n) === '$1,500'` */
const formatLimit = (micros: bigint): string => `$${(micros / MICROS_PER_DOLLAR).toLocaleString('en-US')}`;
