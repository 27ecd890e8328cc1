import type { Overview } from '#contract/operator/overview.ts';
import { formatDate } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Money } from '../../../ui/text/money.tsx';

/** What came in, went out and was earned on this market day. */
export function TodayPanel({ today }: { today: Overview['today'] }) {
  const line = (label: string, value: number) => [label, <Money key={label} value={value} decimals={2} />] as const;
  return (
    <Panel title="Today" control={`Market day ${formatDate(today.day)}`}>
      <KeyValues
        rule
        items={[
          line('Deposits credited', today.deposits),
          line('Withdrawals paid', today.withdrawals),
          line('Trade fees', today.trade_fees),
          line('Performance fees', today.performance_fees),
          line('Withdrawal fees', today.withdrawal_fees),
          line('Incomes paid to members', today.incomes),
        ]}
      />
    </Panel>
  );
}
