import type { OwnLimit } from '#contract/accounts/sign-in.ts';
import { refusals } from '#contract/refusals.ts';
import { ownLimitRules } from '#contract/rules.ts';
import { t, translate } from '../../api/texts.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { formatDateTime } from '../../ui/format/time.ts';

const { minDollars, maxDollars, pauseMaxDays, loosenAfterHours } = ownLimitRules;

export type LimitKind = 'deposit_week' | 'loss_day';

export const limitLabels: Readonly<Record<LimitKind, { title: string; note: string }>> = {
  deposit_week: {
    title: t`Weekly deposit limit`,
    note: t`Counts deposits started in the last 7 days: what was credited, is in review or can still be paid.`,
  },
  loss_day: {
    title: t`Daily loss limit`,
    note: t`Once your settled trades of a market day have lost this amount, no more of your trades open that day.`,
  },
};

export const limitText = (dollars: number | null): string =>
  dollars === null ? t`No limit` : formatMoney(dollars, 'typed');

/**
 * A pending change: "From 5 Mar 2026, 14:00 UTC: $500.00". Relaxed limits apply after a day, so that a limit holds at
 * the moment it is needed.
 */
export const nextText = ({ next }: OwnLimit): string | undefined =>
  next === null ? undefined : t`From ${formatDateTime(next.at)}: ${limitText(next.amount)}`;

export function effectText(limit: OwnLimit, dollars: number): string {
  if (dollars === limit.amount) return t`This is your current limit.`;
  if (limit.amount === null || dollars < limit.amount) return t`Applies immediately.`;
  return t`Applies after ${loosenAfterHours} hours. Until then the limit is ${limitText(limit.amount)}.`;
}

/** When removing a limit takes effect. */
export const endText = t`Applies after ${loosenAfterHours} hours.`;

/** The end of a pause that starts now: the next full minute, that many days later, as the server calculates it. */
const pauseEnd = (days: number, nowMs: number): Date =>
  new Date(Math.ceil((nowMs + days * 86_400_000) / 60_000) * 60_000);

type Checked<T> = ({ ok: true } & T) | { ok: false; message: string };

/**
 * Validates a typed limit, with the server's messages. Grouping commas are refused rather than guessed at.
 * `checkLimit('0')` is refused with "A limit is at least 1$."
 */
export function checkLimit(text: string): Checked<{ dollars: number }> {
  const typed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed)) return refused(t`Enter a limit in numbers.`);
  const dollars = Number(typed);
  if (!Number.isInteger(dollars)) return refused(t`A limit is in whole dollars.`);
  if (dollars < minDollars) return refused(t`A limit is at least ${minDollars}$.`);
  if (dollars > maxDollars) return refused(t`The limit is too high.`);
  return { ok: true, dollars };
}

/** Validates a typed number of pause days and returns the end; one before the end of a current pause is refused. */
export function checkPause(
  text: string,
  pausedUntil: string | null,
  nowMs: number,
): Checked<{ days: number; end: Date }> {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  if (days < 1 || days > pauseMaxDays) return refused(t`A pause is 1 to ${pauseMaxDays} days.`);
  const end = pauseEnd(days, nowMs);
  if (pausedUntil !== null && end < new Date(pausedUntil)) return refused(translate(refusals.pause_shortened[1]));
  return { ok: true, days, end };
}

const refused = (message: string) => ({ ok: false, message }) as const;
