import { refusals } from '#contract/refusals.ts';
import { ownLimitRules } from '#contract/rules.ts';
import { pauseEnd } from './limit-labels.ts';

type Checked<T> = ({ ok: true } & T) | { ok: false; message: string };

const { minDollars, maxDollars, pauseMaxDays } = ownLimitRules;

/**
 * What a member typed as a limit, refused with the words of the server. Grouping commas are refused rather than guessed
 * at. `checkLimit('0')` is refused with "A limit is at least 1$."
 */
export function checkLimit(text: string): Checked<{ dollars: number }> {
  const typed = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(typed)) return refused('Enter a limit in numbers.');
  const dollars = Number(typed);
  if (!Number.isInteger(dollars)) return refused('A limit is in whole dollars.');
  if (dollars < minDollars) return refused(`A limit is at least ${minDollars}$.`);
  if (dollars > maxDollars) return refused('The limit is too high.');
  return { ok: true, dollars };
}

/** How many days of pause, and when it would end; with a pause that ends later, shorter ones are refused. */
export function checkPause(
  text: string,
  pausedUntil: string | null,
  nowMs: number,
): Checked<{ days: number; end: Date }> {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0;
  if (days < 1 || days > pauseMaxDays) return refused(`A pause is 1 to ${pauseMaxDays} days.`);
  const end = pauseEnd(days, nowMs);
  if (pausedUntil !== null && end < new Date(pausedUntil)) return refused(refusals.pause_shortened[1]);
  return { ok: true, days, end };
}

const refused = (message: string) => ({ ok: false, message }) as const;
