import { Box, SimpleGrid, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FundedPeriod } from '#contract/solvency/sheet.ts';
import { t } from '../../api/texts.ts';
import { incomeLabels } from '../../entities/income/labels.ts';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { shareableOf, unsharedOf } from './cover.ts';

/** A period's fees, less execution costs, and their distribution, which have the same total. */
export function TwoSides({ period }: { period: FundedPeriod }) {
  const total = <Money value={shareableOf(period)} />;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={48} verticalSpacing={16}>
      <Side
        title={t`Collected`}
        items={[
          [t`Trade fees`, <Money key="trade" value={period.trade_fees} />],
          [t`Performance fees`, <Money key="performance" value={period.performance_fees} />],
          [t`Less execution cost`, <SignedMoney key="execution" value={-period.execution_cost || 0} plain />],
        ]}
        total={total}
      >
        <KeyValues
          items={[
            [t`Trading gains before fees`, <Money key="gains" value={period.gains} />],
            [t`Trading losses before fees`, <Money key="losses" value={period.losses} />],
          ]}
        />
      </Side>
      <Side
        title={t`Distributed`}
        items={[
          ...period.incomes.map(
            ({ kind, amount }) => [incomeLabels[kind].name, <Money key={kind} value={amount} />] as const,
          ),
          [t`Net change of pools`, <SignedMoney key="pools" value={period.pools_change} plain />],
          [t`Revenue`, <Money key="revenue" value={period.revenue} />],
          [t`Not yet distributed`, <SignedMoney key="unshared" value={unsharedOf(period)} plain />],
        ]}
        total={total}
      />
    </SimpleGrid>
  );
}

type SideProps = {
  title: string;
  items: readonly (readonly [string, ReactNode])[];
  total: ReactNode;
  children?: ReactNode;
};

const Side = ({ title, items, total, children }: SideProps) => (
  <div>
    <Title order={3} mb={4} fz="sm" lh="1.25rem">
      {title}
    </Title>
    <KeyValues rule items={items} />
    <Total>{total}</Total>
    {children}
  </div>
);

export const Total = ({ children }: { children: ReactNode }) => (
  <Box fw={600} style={{ borderTop: '1px solid var(--tw-line-strong)' }}>
    <KeyValues items={[[t`Total`, children]]} />
  </Box>
);
