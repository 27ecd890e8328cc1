import { incomeWords } from '../../entities/income/labels.ts';
import { formatDate, formatDays } from '../../ui/format/time.ts';
import type { PayoutFilter } from './queries.ts';

const DAY_MS = 86_400_000;

/** `daysBefore('2026-03-04', 6) === '2026-02-26'`: with today, seven days. */
export const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** What is shown, in words: "“Weekly Income”, 1 to 4 Mar". */
export function filterWords({ kind, from, to }: PayoutFilter): string {
  const period =
    from && to ? formatDays(from, to) : from ? `since ${formatDate(from)}` : to ? `until ${formatDate(to)}` : undefined;
  return [kind && `“${incomeWords[kind].name}”`, period].filter(Boolean).join(', ');
}

/** `payout-weekly-from-2026-03-01-to-2026-03-04.csv`, as far as it is filtered. */
export const fileNameOf = ({ kind, from, to }: PayoutFilter): string =>
  `${['payout', kind, from && `from-${from}`, to && `to-${to}`].filter(Boolean).join('-')}.csv`;
