import type { DataOf } from '#contract/endpoint.ts';
import type { IncomeKind, income } from '#contract/income.ts';
import { incomeWords, isResult, resultKinds, teamKinds } from '../../entities/income/labels.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import classes from './payout.module.css';

type TotalsPanelProps = {
  payout: DataOf<typeof income.getPayout> | undefined;
  /** What the statement is filtered by; empty without a filter. */
  words: string;
};

/** Sums of everything the filter lets through, shares of fees apart from results. */
export function TotalsPanel({ payout, words }: TotalsPanelProps) {
  return (
    <Panel title="Totals" className={classes.totals} foot={words === '' ? 'All days' : words}>
      <h3>Shares of fees</h3>
      <Sums kinds={teamKinds} payout={payout} />
      <h3>Results of your trades</h3>
      <Sums kinds={resultKinds} payout={payout} />
    </Panel>
  );
}

function Sums({ kinds, payout }: { kinds: readonly IncomeKind[]; payout: TotalsPanelProps['payout'] }) {
  const amountOf = (kind: IncomeKind) => payout && (payout.totals.find((total) => total.kind === kind)?.amount ?? 0);
  return (
    <KeyValues
      rule
      items={kinds.map((kind) => [
        incomeWords[kind].name,
        isResult(kind) ? (
          <SignedMoney key={kind} value={amountOf(kind)} />
        ) : (
          <Money key={kind} value={amountOf(kind)} />
        ),
      ])}
    />
  );
}
