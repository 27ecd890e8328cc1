import type { Portfolio } from '#contract/trading/portfolio.ts';
import { plural } from '../../api/texts.ts';

type Allocated = Portfolio['allocation'][number];

export type AllocationPart = Allocated & {
  readonly percent: number;
  /** 1 to 5: the series colour, in the order of the parts; from the fifth on they share one. */
  readonly series: number;
};

const SERIES = 5;

/** The parts of the net worth that are not empty, the largest asset first and money in no asset last. */
export function allocationParts(allocation: Portfolio['allocation']): AllocationPart[] {
  const total = allocation.reduce((sum, { value }) => sum + value, 0);
  const isIdle = ({ kind }: Allocated) => Number(kind !== 'asset');
  return allocation
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => isIdle(a) - isIdle(b) || b.value - a.value)
    .map((part, index) => ({
      ...part,
      percent: (part.value / total) * 100,
      series: Math.min(index + 1, SERIES),
    }));
}

/** `heldWords({ trades: 1, plans: 2 }) === '1 trade, 2 plans'`; nothing for money in no asset. */
export function heldWords({ trades, plans }: Pick<Allocated, 'trades' | 'plans'>): string {
  return [
    trades > 0 && plural(trades, { one: '# trade', other: '# trades' }),
    plans > 0 && plural(plans, { one: '# plan', other: '# plans' }),
  ]
    .filter(Boolean)
    .join(', ');
}
