import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { PortfolioPlan } from '#contract/trading/portfolio.ts';
import { strategyWords } from '../../entities/trade/strategies.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import type { ListQuery } from '../../ui/table/data-table-states.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { TextLink } from '../../ui/text/text-link.tsx';
import classes from './plans-panel.module.css';

const Plan = ({ plan }: { plan: PortfolioPlan }) => (
  <AssetLink symbol={plan.symbol} to={paths.plan(plan.id)} detail={strategyWords[plan.strategy].name} />
);

const columns: readonly Column<PortfolioPlan>[] = [
  { key: 'plan', label: 'Plan', render: (plan) => <Plan plan={plan} /> },
  { key: 'gains', label: 'Gains', render: (plan) => (plan.compounding ? 'stay in' : 'to the profit wallet') },
  { key: 'amount', label: 'Put in', align: 'right', render: (plan) => <Money value={plan.amount} decimals="typed" /> },
  { key: 'value', label: 'Worth now', align: 'right', render: (plan) => <Money value={plan.value} /> },
  {
    key: 'result',
    label: 'Settled result',
    align: 'right',
    render: (plan) => (
      <>
        <SignedMoney value={plan.result} />
        <small>
          <Percent value={(plan.result / plan.amount) * 100} signed />
        </small>
      </>
    ),
  },
  { key: 'state', label: 'State', align: 'right', render: (plan) => <StateBadge of="plan" state={plan.state} /> },
];

/** Auto-trade plans that are not redeemed, with what they are worth and what they came to. */
export function PlansPanel({ plans, query }: { plans: readonly PortfolioPlan[]; query: ListQuery }) {
  return (
    <Panel
      title="Plans"
      rule
      padded={false}
      control={plans.length > 0 && <TextLink to={paths.plans}>All plans</TextLink>}
    >
      <DataTable
        label="Plans"
        columns={columns}
        rows={plans}
        rowKey={(plan) => plan.id}
        query={query}
        mobileRow={(plan) => (
          <div className={classes.row}>
            <Plan plan={plan} />
            <span>
              <Money value={plan.value} />
              <small>
                <SignedMoney value={plan.result} />
              </small>
            </span>
          </div>
        )}
        empty={{
          icon: <IconRepeat size={20} stroke={1.5} />,
          title: 'No plans',
          text: 'A plan trades every session by a strategy you choose. It can lose money like any trade.',
          action: (
            <Button component={Link} to={paths.newPlan} variant="default">
              New plan
            </Button>
          ),
        }}
      />
    </Panel>
  );
}
