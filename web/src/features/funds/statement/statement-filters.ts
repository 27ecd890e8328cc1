import type { StatementWallet } from '#contract/ledger-reasons.ts';
import { type MovementKind, movementKinds } from '#contract/ledger-reasons.ts';
import { t } from '../../../api/texts.ts';
import { readDay } from '../../../ui/format/period.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { kindLabel, walletLabel, walletNames } from './labels.ts';

const DAY_MS = 86_400_000;

export const periodOptions = [
  { value: 'today', label: t`Today` },
  { value: '7d', label: t`Last 7 days` },
  { value: 'month', label: t`This month` },
  { value: 'last-month', label: t`Last month` },
  { value: 'year', label: t`Last 365 days` },
  { value: 'days', label: t`Custom dates` },
] as const;
type Period = (typeof periodOptions)[number]['value'];

/** The filter of a statement; `from` is included, `to` is not. Absent fields do not filter. */
export type StatementFilter = {
  kind?: MovementKind | undefined;
  wallet?: StatementWallet | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** The filter in the address: invalid values are ignored. */
export type FilterChoice = Pick<StatementFilter, 'kind' | 'wallet'> & {
  period?: Period | undefined;
  /** UTC days, both included, where the period is custom dates. */
  firstDay?: string | undefined;
  lastDay?: string | undefined;
};

const oneOf = <T extends string>(options: readonly T[], given: string | null): T | undefined =>
  options.find((option) => option === given);

export function readFilterChoice(search: URLSearchParams): FilterChoice {
  const period = oneOf(
    periodOptions.map(({ value }) => value),
    search.get('period'),
  );
  return {
    kind: oneOf(movementKinds, search.get('kind')),
    wallet: oneOf(walletNames, search.get('wallet')),
    period,
    firstDay: period === 'days' ? readDay(search.get('from')) : undefined,
    lastDay: period === 'days' ? readDay(search.get('to')) : undefined,
  };
}

/**
 * The server's filter. Days begin at midnight UTC, so that a period stays the same all day; a current one has no end.
 * On 4 March 2026 the last 7 days begin on 26 February, and last month is 1 February to before 1 March.
 */
export function statementFilter({ kind, wallet, ...choice }: FilterChoice, now: Date): StatementFilter {
  return { kind, wallet, ...bounds(choice, now) };
}

function bounds({ period, firstDay, lastDay }: FilterChoice, now: Date): Pick<StatementFilter, 'from' | 'to'> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const monthStart = (months: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1);
  switch (period) {
    case undefined:
      return {};
    case 'today':
      return { from: instantOf(today) };
    case '7d':
      return { from: instantOf(today - 6 * DAY_MS) };
    case 'month':
      return { from: instantOf(monthStart(0)) };
    case 'last-month':
      return { from: instantOf(monthStart(-1)), to: instantOf(monthStart(0)) };
    case 'year':
      return { from: instantOf(today - 364 * DAY_MS) };
    case 'days':
      return {
        from: firstDay && instantOf(Date.parse(firstDay)),
        to: lastDay && instantOf(Date.parse(lastDay) + DAY_MS),
      };
  }
}

const instantOf = (at: number) => new Date(at).toISOString();
const dayOf = (at: number) => instantOf(at).slice(0, 10);

/** `1 Feb 2026 to 28 Feb 2026`, in whole days: a period ends before its `to`. */
export function periodText({ from, to }: Pick<StatementFilter, 'from' | 'to'>): string {
  const last = to && formatDate(Date.parse(to) - 1);
  if (from && last) return formatDate(from) === last ? last : t`${formatDate(from)} to ${last}`;
  if (from) return t`since ${formatDate(from)}`;
  return last ? t`until ${last}` : t`all time`;
}

/** Names the active filters, for sentences: "“Trade fee”, In trades, since 26 Feb 2026". */
export function filterText({ kind, wallet, from, to }: StatementFilter): string {
  const period = from || to ? periodText({ from, to }) : undefined;
  return [kind && `“${kindLabel(kind)}”`, wallet && walletLabel(wallet), period].filter(Boolean).join(', ');
}

/** `transactions-2026-02-01-to-2026-02-28.csv`, the server's own file name. */
export function statementFileName({ from, to }: StatementFilter): string {
  const first = from === undefined ? 'beginning' : dayOf(Date.parse(from));
  const last = to === undefined ? 'today' : dayOf(Date.parse(to) - 1);
  return `transactions-${first}-to-${last}.csv`;
}
