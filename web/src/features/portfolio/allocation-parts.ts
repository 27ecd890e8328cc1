import { symbols } from '#contract/rules.ts';
import type { Portfolio } from '#contract/trading.ts';

export type AllocationPart = {
  readonly label: string;
  /** The coin, or null for money that is in no asset. */
  readonly symbol: string | null;
  readonly value: number;
  readonly percent: number;
  /** 1 to 5: the series colour, in the order of the parts; from the fifth on they share one. */
  readonly series: number;
};

const SERIES = 5;

/** The parts of the net worth that are not empty, the largest asset first and money in no asset last. */
export function allocationParts(allocation: Portfolio['allocation']): AllocationPart[] {
  const total = allocation.reduce((sum, { value }) => sum + value, 0);
  const known = allocation
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => ({ label, value, symbol: symbolOf(label) }))
    .sort((a, b) => Number(a.symbol === null) - Number(b.symbol === null) || b.value - a.value);
  return known.map((part, index) => ({
    ...part,
    percent: (part.value / total) * 100,
    series: Math.min(index + 1, SERIES),
  }));
}

/** `symbolOf('btc/usdt') === 'btc'`; a label that is no asset has none. */
const symbolOf = (label: string) => symbols.find((symbol) => symbol === label.split('/')[0]) ?? null;
