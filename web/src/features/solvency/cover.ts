import type { DataOf } from '#contract/endpoint.ts';
import type { solvency } from '#contract/endpoints.ts';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { t } from '../../api/texts.ts';
import { sumDollars } from '../../ui/format/number.ts';

export type Solvency = DataOf<typeof solvency.getSolvency>;
export type AccountLine = Solvency['accounts'][number];

/**
 * Assets in percent of liabilities, truncated to two decimals: 99.996 is never shown as 100. Null without liabilities.
 * `coverPercent(1025.499, 1000) === 102.54`
 */
export const coverPercent = (assets: number, liabilities: number): number | null =>
  liabilities === 0 ? null : Math.floor(Number(((assets / liabilities) * 10_000).toFixed(6))) / 100;

export function coverText({ assets, liabilities }: Pick<Solvency, 'assets' | 'liabilities'>): string {
  const percent = coverPercent(assets.booked, liabilities);
  return percent === null ? t`No liabilities` : t`Assets cover ${percent.toFixed(2)}% of liabilities`;
}

export type BarPart = { readonly name: string; readonly amount: number; readonly percent: number };

/**
 * Assets and liabilities as bars of one scale. What is reserved for members (pools, fees not yet distributed, payments
 * not yet credited) is one part; negative amounts are not drawn.
 */
export function coverBars({ accounts, surplus }: Pick<Solvency, 'accounts' | 'surplus'>): {
  held: BarPart[];
  owed: BarPart[];
} {
  const of = (group: AccountLine['group']) => accounts.filter((account) => account.group === group);
  const aside = of('owed').reduce((sum, { amount }) => sum + amount, 0);
  const held = of('asset');
  const owed = [...of('member'), { name: 'aside', amount: aside }, { name: 'surplus', amount: surplus }];
  const total = (parts: readonly { amount: number }[]) =>
    parts.reduce((sum, { amount }) => sum + Math.max(amount, 0), 0);
  const scale = Math.max(total(held), total(owed));
  const drawn = (parts: readonly { name: string; amount: number }[]): BarPart[] =>
    parts
      .filter(({ amount }) => amount > 0)
      .map(({ name, amount }) => ({ name, amount, percent: (amount / scale) * 100 }));
  return { held: drawn(held), owed: drawn(owed) };
}

/** Fees of a period that are not yet distributed; if negative, earlier fees that it distributed. */
export const unsharedOf = (period: FundedPeriod): number =>
  sumDollars([shareableOf(period), -period.incomes_total, -period.pools_change, -period.revenue]);

export const feesOf = ({ trade_fees, performance_fees }: FundedPeriod): number =>
  sumDollars([trade_fees, performance_fees]);

/** The part that is shared: execution costs are deducted first. */
export const shareableOf = (period: FundedPeriod): number => sumDollars([feesOf(period), -period.execution_cost]);
