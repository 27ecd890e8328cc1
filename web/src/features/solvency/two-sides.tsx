import type { ReactNode } from 'react';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { feesOf, unsharedOf } from './cover.ts';
import { incomeWords } from './labels.ts';
import classes from './two-sides.module.css';

/** A period's fees on one side and where they went on the other: both come to the same. */
export function TwoSides({ period }: { period: FundedPeriod }) {
  const together = <Money value={feesOf(period)} />;
  return (
    <div className={classes.sides}>
      <Side
        title="Collected"
        items={[
          ['Trade fees', <Money key="trade" value={period.trade_fees} />],
          ['Performance fees', <Money key="performance" value={period.performance_fees} />],
        ]}
        together={together}
      >
        <KeyValues
          items={[
            ['Gains of trades, before fees', <Money key="gains" value={period.gains} />],
            ['Losses of trades, before fees', <Money key="losses" value={period.losses} />],
          ]}
        />
      </Side>
      <Side
        title="Where it went"
        items={[
          ...period.incomes.map(
            ({ kind, amount }) => [incomeWords[kind], <Money key={kind} value={amount} />] as const,
          ),
          ['Into pools, less paid from them', <SignedMoney key="pools" value={period.pools_change} plain />],
          ['Revenue', <Money key="revenue" value={period.revenue} />],
          ['Not shared yet', <SignedMoney key="unshared" value={unsharedOf(period)} plain />],
        ]}
        together={together}
      />
    </div>
  );
}

type SideProps = {
  title: string;
  items: readonly (readonly [string, ReactNode])[];
  together: ReactNode;
  children?: ReactNode;
};

function Side({ title, items, together, children }: SideProps) {
  return (
    <div>
      <h3>{title}</h3>
      <KeyValues rule items={items} />
      <div className={classes.together}>
        <KeyValues items={[['Together', together]]} />
      </div>
      {children}
    </div>
  );
}
