import { Button, Group } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { PortfolioPlan } from '#contract/trading/portfolio.ts';
import { t } from '../../api/texts.ts';
import { AssetRow, Pnl } from '../../entities/trade/asset-row.tsx';
import { strategyLabels } from '../../entities/trade/strategies.ts';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { Quiet, TextLink } from '../../ui/text/text.tsx';

const columns: readonly Column<PortfolioPlan>[] = [
  column(t`Plan`, (plan) => (
    <AssetLink symbol={plan.symbol} to={paths.plan(plan.id)} detail={strategyLabels[plan.strategy].name} />
  )),
  column(t`Gains`, (plan) => (plan.compounding ? t`Reinvested` : t`Paid out`)),
  rightColumn(t`Invested`, (plan) => <Money value={plan.amount} decimals="typed" />),
  rightColumn(t`Current value`, (plan) => <Money value={plan.value} />),
  rightColumn(t`Realised P&L`, (plan) => <Pnl value={plan.result} of={plan.amount} />),
  rightColumn(t`State`, (plan) => <StateBadge of="plan" state={plan.state} />),
];

/** The portfolio has no more (contract/trading/portfolio.ts). */
const PLANS_SHOWN = 100;

/** Auto-trade plans that are not redeemed, with value and result. */
export function PlansPanel({ plans, query }: { plans: readonly PortfolioPlan[]; query: ListQuery }) {
  return (
    <TablePanel
      title={t`Plans`}
      control={
        plans.length > 0 && (
          <Group gap="sm">
            {plans.length === PLANS_SHOWN && <Quiet>{t`The newest ${PLANS_SHOWN}`}</Quiet>}
            <TextLink to={paths.plans}>{t`All plans`}</TextLink>
          </Group>
        )
      }
      columns={columns}
      rows={plans}
      rowKey={(plan) => plan.id}
      query={query}
      mobileRow={(plan) => (
        <AssetRow symbol={plan.symbol} to={paths.plan(plan.id)} detail={strategyLabels[plan.strategy].name}>
          <Money value={plan.value} />
          <SignedMoney value={plan.result} />
        </AssetRow>
      )}
      empty={{
        icon: IconRepeat,
        title: t`No plans yet`,
        text: t`A plan trades every session with a strategy you choose. It can lose money like any trade.`,
        action: <Button component={Link} to={paths.newPlan} variant="default">{t`New plan`}</Button>,
      }}
    />
  );
}
