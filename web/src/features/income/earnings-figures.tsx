import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { IncomeKind } from '#contract/income.ts';
import { isResult } from '../../entities/income/labels.ts';
import { earningsQuery } from '../../entities/income/queries.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';

const spans = [
  { span: 'lifetime', label: 'Lifetime', foot: 'since you joined' },
  { span: 'month', label: 'This month', foot: 'of market time' },
  { span: 'week', label: 'This week', foot: 'since Monday' },
  { span: 'today', label: 'Today', foot: 'the market’s day, UTC' },
] as const;

/** What one income came to so far, by market day, week and month. */
export function EarningsFigures({ kind, children }: { kind: IncomeKind; children?: ReactNode }) {
  const { data } = useQuery(earningsQuery);
  const sums = data?.kinds.find((entry) => entry.kind === kind);
  return (
    <FigureStrip>
      {spans.map(({ span, label, foot }) => (
        <Figure key={span} label={label} foot={foot}>
          {isResult(kind) ? <SignedMoney value={sums?.[span]} /> : <Money value={sums?.[span]} />}
        </Figure>
      ))}
      {children}
    </FigureStrip>
  );
}
