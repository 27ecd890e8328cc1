import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconRepeat } from '@tabler/icons-react';
import { Link } from 'react-router';
import { riskSentence } from '#contract/rules.ts';
import type { Plan, PlanState as State } from '#contract/trading/plan.ts';
import { t, translate } from '../../api/texts.ts';
import { AssetRow, Pnl } from '../../entities/trade/asset-row.tsx';
import { InvestmentTabs } from '../../entities/trade/investment-tabs.tsx';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { stopsLine } from '../../entities/trade/stops.ts';
import { strategyLine } from '../../entities/trade/strategies.ts';
import { formatMoney } from '../../ui/format/number.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { column, rightColumn } from '../../ui/table/columns.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { StateList } from '../../ui/table/state-list.tsx';
import { AssetLink } from '../../ui/text/asset-link.tsx';
import { Money, SignedMoney } from '../../ui/text/money.tsx';
import { gainsText, stateReasonLabels } from './plan-labels.ts';
import { plansQuery } from './queries.ts';

const states: { value: State; label: string }[] = [
  { value: 'active', label: t`Active` },
  { value: 'paused', label: t`Paused` },
  { value: 'redeemed', label: t`Redeemed` },
];

const columns: readonly Column<Plan>[] = [
  column(t`Plan`, (plan) => (
    <AssetLink wraps symbol={plan.symbol} to={paths.plan(plan.id)} detail={strategyLine(plan.strategy, plan.params)} />
  )),
  column(t`Settings`, (plan) => (
    <>
      {gainsText(plan)}
      <small>{t`Stops: ${stopsLine(plan.stops)}`}</small>
    </>
  )),
  rightColumn(t`Current value`, (plan) => <Worth plan={plan} />),
  rightColumn(t`Realised P&L`, (plan) => <Pnl value={plan.result_total} of={plan.amount} />),
  column(t`Last decision`, (plan) => <LastDecision plan={plan} />),
  column(t`State`, (plan) => <PlanState plan={plan} />),
];

function Worth({ plan }: { plan: Plan }) {
  return (
    <>
      <Money value={plan.state === 'redeemed' ? plan.redeemed : plan.value} />
      <small>{t`of ${formatMoney(plan.amount, 'typed')}`}</small>
    </>
  );
}

const LastDecision = ({ plan }: { plan: Plan }) => (
  <Text size="xs" c="var(--tw-text-2)" miw={{ sm: 180 }} maw={{ sm: 280 }}>
    {plan.last_decision ? translate(plan.last_decision.words) : t`None yet`}
  </Text>
);

function RowOnMobile({ plan }: { plan: Plan }) {
  return (
    <Stack gap={8}>
      <AssetRow wraps symbol={plan.symbol} to={paths.plan(plan.id)} detail={strategyLine(plan.strategy, plan.params)}>
        <Money value={plan.state === 'redeemed' ? plan.redeemed : plan.value} />
        <SignedMoney value={plan.result_total} />
      </AssetRow>
      <Group gap="8px 12px" fz="xs" c="dimmed">
        <PlanState plan={plan} />
        {gainsText(plan)} · {t`Stops: ${stopsLine(plan.stops)}`}
      </Group>
      <LastDecision plan={plan} />
    </Stack>
  );
}

/** Auto-trade plans, newest first, filtered by state; the filter is in the address. */
export function PlansPage() {
  return (
    <>
      <PageHead title={t`Auto-trade plans`} facts={t`Plans trade for you automatically in every session`}>
        <Button
          component={Link}
          to={paths.newPlan}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        >{t`New plan`}</Button>
      </PageHead>
      <InvestmentTabs />
      <StateList
        title={t`Plans`}
        states={states}
        queryOf={plansQuery}
        columns={columns}
        isOff={(plan) => plan.state === 'redeemed'}
        mobileRow={(plan) => <RowOnMobile plan={plan} />}
        foot={
          <>
            {translate(riskSentence)} {useNegativeMembers()}
          </>
        }
        hidden={() => ({ title: t`No plans in this state`, text: t`The filter hides plans in other states.` })}
        empty={{
          icon: IconRepeat,
          title: t`No plans yet`,
          text: t`A plan trades one asset with one strategy in every session. Each decision is listed with its reason.`,
          action: <Button component={Link} to={paths.newPlan} variant="default">{t`New plan`}</Button>,
        }}
      />
    </>
  );
}

/** The state of a plan; for a paused one with the reason. */
function PlanState({ plan }: { plan: Plan }) {
  return (
    <>
      <StateBadge of="plan" state={plan.state} />
      {plan.state_reason !== null && <small>{stateReasonLabels[plan.state_reason]}</small>}
    </>
  );
}
