import { Button } from '@mantine/core';
import { IconPlus, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { riskSentence } from '#contract/rules.ts';
import type { Plan, PlanState as State } from '#contract/trading/plan.ts';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { stopsLine } from '../../entities/trade/stops.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { PageHead } from '../../ui/frame/page-head.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { paths } from '../../ui/paths.ts';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { FilterMenu } from '../../ui/table/filter-menu.tsx';
import { useCursorPaging } from '../../ui/table/use-cursor-paging.ts';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { percentOfAmount } from './percent-of-amount.ts';
import { gainsWords, stateReasonWords } from './plan-labels.ts';
import classes from './plans-page.module.css';
import { plansQuery } from './queries.ts';

const stateOptions = (['active', 'paused', 'redeemed'] as const satisfies readonly State[]).map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

const columns: readonly Column<Plan>[] = [
  {
    key: 'plan',
    label: 'Plan',
    render: (plan) => (
      <AssetLink
        wraps
        symbol={plan.symbol}
        to={paths.plan(plan.id)}
        detail={strategyLine(plan.strategy, plan.params)}
      />
    ),
  },
  {
    key: 'settings',
    label: 'Settings',
    render: (plan) => (
      <>
        {gainsWords(plan)}
        <small>Stops: {stopsLine(plan.stops)}</small>
      </>
    ),
  },
  { key: 'value', label: 'Worth now', align: 'right', render: (plan) => <Worth plan={plan} /> },
  {
    key: 'result',
    label: 'Result so far',
    align: 'right',
    render: (plan) => (
      <>
        <SignedMoney value={plan.result_total} />
        <small>
          <Percent value={percentOfAmount(plan)} signed />
        </small>
      </>
    ),
  },
  { key: 'decision', label: 'Last decision', render: (plan) => <LastDecision plan={plan} /> },
  { key: 'state', label: 'State', render: (plan) => <PlanState plan={plan} /> },
];

function Worth({ plan }: { plan: Plan }) {
  return (
    <>
      <Money value={plan.state === 'redeemed' ? plan.redeemed : plan.value} />
      <small>of {formatMoney(plan.amount, 'typed')}</small>
    </>
  );
}

const LastDecision = ({ plan }: { plan: Plan }) => (
  <span className={classes.decision}>{plan.last_decision?.words ?? 'None yet'}</span>
);

function RowOnMobile({ plan }: { plan: Plan }) {
  return (
    <div className={classes.row}>
      <div className={classes.first}>
        <AssetLink
          wraps
          symbol={plan.symbol}
          to={paths.plan(plan.id)}
          detail={strategyLine(plan.strategy, plan.params)}
        />
        <span className={classes.figures}>
          <Money value={plan.state === 'redeemed' ? plan.redeemed : plan.value} />
          <SignedMoney value={plan.result_total} />
        </span>
      </div>
      <div className={classes.second}>
        <PlanState plan={plan} />
        <small>
          {gainsWords(plan)} · stops: {stopsLine(plan.stops)}
        </small>
      </div>
      <LastDecision plan={plan} />
    </div>
  );
}

/** Auto-trade plans, newest first, filtered by state; the filter stands in the address. */
export function PlansPage() {
  const [search, setSearch] = useSearchParams();
  const state = stateOptions.find(({ value }) => value === search.get('state'))?.value;
  const paging = useCursorPaging();
  const plans = useQuery(plansQuery({ state, cursor: paging.cursor }));

  const choose = (next: State | undefined) => {
    paging.reset();
    setSearch(next === undefined ? {} : { state: next }, { replace: true, preventScrollReset: true });
  };

  return (
    <>
      <PageHead title="Auto-trade plans" facts="What you let the machine trade for you, session by session">
        <Button
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          renderRoot={(props) => <Link to={paths.newPlan} {...props} />}
        >
          New plan
        </Button>
      </PageHead>
      <InvestmentTabs />
      <Panel
        title="Plans"
        rule
        padded={false}
        foot={riskSentence}
        control={
          <FilterMenu label="State" allLabel="All states" options={stateOptions} value={state} onChange={choose} />
        }
      >
        <DataTable
          label="Plans"
          columns={columns}
          rows={plans.data?.items}
          rowKey={(plan) => plan.id}
          query={plans}
          minHeight={280}
          isOff={(plan) => plan.state === 'redeemed'}
          mobileRow={(plan) => <RowOnMobile plan={plan} />}
          paging={paging.pagingOf(plans.data)}
          filtered={
            state && {
              title: `No plan is “${stateOptions.find(({ value }) => value === state)?.label}”`,
              text: 'Plans in other states are hidden by the filter.',
              onClear: () => choose(undefined),
            }
          }
          empty={{
            icon: <IconRepeat size={20} stroke={1.5} />,
            title: 'No plans yet',
            text: 'A plan trades one asset with one strategy every session, and each of its decisions is listed with its reason.',
            action: (
              <Button variant="default" renderRoot={(props) => <Link to={paths.newPlan} {...props} />}>
                New plan
              </Button>
            ),
          }}
        />
      </Panel>
    </>
  );
}

/** The state of a plan; of a paused one with the reason in words. */
function PlanState({ plan }: { plan: Plan }) {
  return (
    <>
      <StateBadge of="plan" state={plan.state} />
      {plan.state_reason !== null && <small>{stateReasonWords[plan.state_reason]}</small>}
    </>
  );
}
