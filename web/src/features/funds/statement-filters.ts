import { formatDate } from '../../shared/format/time.ts';

export type Period = '7d' | '30d' | '90d' | '365d';

const DAY_MS = 86_400_000;
const days: Record<Period, number> = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 };

/**
 * The start of a period that ends now: midnight UTC, so that it stays the same all day and includes today.
 * `periodStart('7d', new Date('2026-03-04T14:05:00Z'))` is 2026-02-26T00:00:00.000Z: seven days with today.
 */
export function periodStart(period: Period, now: Date): string {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return new Date(today - (days[period] - 1) * DAY_MS).toISOString();
}

export const periodOptions: readonly { value: Period; label: string }[] = [
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '365d', label: 'Last 365 days' },
];

/** Names the filters that are on, for the sentence of a list that they hide: "“Trade fee”, In trades, since 26 Feb 2026". */
export function filterWords(filter: {
  kind?: string | undefined;
  wallet?: string | undefined;
  from?: string | undefined;
}): string {
  return [filter.kind && `“${filter.kind}”`, filter.wallet, filter.from && `since ${formatDate(filter.from)}`]
    .filter(Boolean)
    .join(', ');
}
