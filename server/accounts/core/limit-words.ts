import assert from 'node:assert';
import { MICROS_PER_DOLLAR } from '#contract/money.ts';
import type { OwnLimit, OwnLimits } from './own-limits.ts';

/**
 * What a member is told after a change of their limits: a sentence for each thing that changed, none when nothing did.
 * A higher limit for deposits, asked for at noon of 4 March: "From 2026-03-05 12:00 UTC your limit is $500 of deposits
 * a week; until then it is $100."
 */
export function describeChange(before: OwnLimits, after: OwnLimits): string[] {
  return [
    ...describeLimit(before.depositWeek, after.depositWeek, 'deposits a week'),
    ...describeLimit(before.lossDay, after.lossDay, 'losses a market day'),
    ...describePause(before.pausedUntil, after.pausedUntil),
  ];
}

function describeLimit(before: OwnLimit, after: OwnLimit, of: string): string[] {
  if (isSame(before, after)) return [];
  assert(after.micros !== null, 'a limit ends by its time, never by a change');
  const now = formatLimit(after.micros);
  if (after.next === null) {
    return [
      after.micros === before.micros ? `Your limit stays ${now} of ${of}.` : `Your limit is now ${now} of ${of}.`,
    ];
  }
  const from = `From ${formatInstant(after.next.at)}`;
  if (after.next.micros === null) return [`${from} you have no limit of ${of}; until then it is ${now}.`];
  return [`${from} your limit is ${formatLimit(after.next.micros)} of ${of}; until then it is ${now}.`];
}

const describePause = (before: Date | null, after: Date | null): string[] =>
  after === null || before?.getTime() === after.getTime()
    ? []
    : [`Trading and deposits are paused until ${formatInstant(after)}.`];

const isSame = (one: OwnLimit, other: OwnLimit): boolean =>
  one.micros === other.micros &&
  one.next?.micros === other.next?.micros &&
  one.next?.at.getTime() === other.next?.at.getTime();

/** Limits are whole dollars. `formatLimit(1_500_000_000n) === '$1,500'` */
const formatLimit = (micros: bigint): string => `$${(micros / MICROS_PER_DOLLAR).toLocaleString('en-US')}`;

/** `2026-03-05 12:00 UTC`: the times of limits are full minutes. */
const formatInstant = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
