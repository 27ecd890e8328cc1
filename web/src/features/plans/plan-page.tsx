import { Button, Flex, Group } from '@mantine/core';
import { IconAlertTriangle, IconClock, IconListDetails, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { refusals } from '#contract/refusals.ts';
import type { Plan, PlanDecision } from '#contract/trading/plan.ts';
import { CallError } from '../../api/call.ts';
import { t, translate } from '../../api/texts.ts';
import { pairOf, walletNames } from '../../entities/trade/labels.ts';
import { formatStopPercent, setStops, stopNames } from '../../entities/trade/stops.ts';
import { parameters, strategyLabels, strategyLine } from '../../entities/trade/strategies.ts';
import { percentOf } from '../../ui/format/number.ts';
import { formatDate, formatDateTime } from '../../ui/format/time.ts';
import { Banner } from '../../ui/frame/banner.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import { TablePanel } from '../../ui/layout/table-panel.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { column } from '../../ui/table/columns.tsx';
import { FaultPanel, type ListQuery, TableError } from '../../ui/table/data-table-states.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { ListState } from '../../ui/table/list-state.tsx';
import { useKeptState } from '../../ui/table/use-kept-state.ts';
import { usePages } from '../../ui/table/use-pages.ts';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money, Percent, SignedMoney } from '../../ui/text/money.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { TextLink, Trans, When } from '../../ui/text/text.tsx';
import { PlanActions, useIsUnderWay, waitId } from './plan-actions.tsx';
import { eventText, pausedText } from './plan-labels.ts';
import { type PlanEvent, planQuery } from './queries.ts';
import { SessionResults } from './session-results.tsx';

/** `/fund/investments/7`: one plan with its whole history and reasons. */
export function PlanPage() {
  const { id = '' } = useParams();
  const query = useQuery(planQuery(id));
  if (query.data === undefined && isNotThere(query)) return <PlanNotFound />;
  if (query.data === undefined) {
    return (
      <>
        <PageHead title={t`Plan`} />
        <Panel padded={false}>{query.isError && <TableError isList={false} query={query} />}</Panel>
      </>
    );
  }

  const { plan, events, decisions } = query.data;
  return (
    <>
      <PageHead
        title={t`Plan on ${plan.symbol}/usdt`}
        facts={
          <Flex component="span" wrap="wrap" align="center" gap="4px 8px" mt={2}>
            <StateBadge of="plan" state={plan.state} />
            {t`${strategyLine(plan.strategy, plan.params)}, since ${formatDate(plan.created_at)}`}
          </Flex>
        }
      >
        <PlanActions plan={plan} />
      </PageHead>
      <FaultPanel query={query} />
      <Standing plan={plan} />
      <PlanFigures plan={plan} />
      <Columns>
        <Column>
          <SessionResults sessions={plan.sessions} query={query} />
          <DecisionsPanel decisions={decisions} query={query} />
        </Column>
        <Column pairs>
          <PlanSettings plan={plan} />
          <PlanEvents events={events} />
        </Column>
      </Columns>
    </>
  );
}

/** Why the plan does not trade, and why it cannot be changed now. */
function Standing({ plan }: { plan: Plan }) {
  const isUnderWay = useIsUnderWay();
  const paused = pausedText(plan);
  return (
    <>
      {paused && (
        <Banner icon={IconPlayerPause} title={paused.title}>
          {paused.text}
        </Banner>
      )}
      {isUnderWay && plan.state !== 'redeemed' && (
        <Banner icon={IconClock}>
          <span id={waitId} role="status">
            {translate(refusals.plan_in_session[1])}
          </span>
        </Banner>
      )}
    </>
  );
}

/** Any other error may go away on a retry. */
const isNotThere = ({ error }: ListQuery) =>
  error instanceof CallError && (error.status === 404 || error.status === 422);

/** A missing or foreign plan is reported as not found. */
const PlanNotFound = () => (
  <Panel padded={false}>
    <ListState
      error
      isPage
      icon={IconAlertTriangle}
      title={translate(refusals.plan_not_found[1])}
      action={<Button component={Link} to={paths.plans} variant="default">{t`Your plans`}</Button>}
    >{t`The address may be mistyped. Your money is not affected.`}</ListState>
  </Panel>
);

/** Events of the plan other than trades, newest first. */
function PlanEvents({ events }: { events: readonly PlanEvent[] }) {
  const newestFirst = events.toSorted((one, other) => other.at.localeCompare(one.at));
  return (
    <Panel title={t`History`}>
      <ol aria-label={t`History`}>
        {newestFirst.map((event) => (
          <Group key={`${event.at} ${event.kind}`} component="li" justify="space-between" gap="0 12px" py={7} fz="sm">
            {eventText(event)}
            <Note span>{formatDateTime(event.at)}</Note>
          </Group>
        ))}
      </ol>
    </Panel>
  );
}

/** The plan's settings. */
function PlanSettings({ plan }: { plan: Plan }) {
  const { name, sentence } = strategyLabels[plan.strategy];
  const stops = setStops(plan.stops);
  return (
    <Panel title={t`Settings`} foot={sentence}>
      <KeyValues
        rule
        items={[
          [
            t`Asset`,
            <TextLink key="asset" to={paths.symbol(plan.symbol)}>
              {pairOf(plan.symbol)}
            </TextLink>,
          ],
          [t`Strategy`, name],
          ...strategyLabels[plan.strategy].parameters.map(
            (parameter) => [parameters[parameter].label, plan.params[parameter] ?? '–'] as const,
          ),
          [t`Compounding`, plan.compounding ? t`Yes, gains are reinvested` : t`No, gains go to the Profit Wallet`],
          [t`Wallet`, walletNames[plan.wallet_type]],
          stops.length === 0 && [t`Stops`, t`None`],
          ...stops.map(({ kind, percent }) => [stopNames[kind], formatStopPercent(percent)] as const),
          [t`Created`, formatDate(plan.created_at)],
          plan.redeemed_at !== null && [t`Redeemed`, formatDateTime(plan.redeemed_at)],
        ]}
      />
    </Panel>
  );
}

function PlanFigures({ plan }: { plan: Plan }) {
  const traded = plan.sessions.filter(({ trades }) => trades > 0).length;
  const isRedeemed = plan.state === 'redeemed';
  return (
    <FigureStrip>
      <Figure
        label={isRedeemed ? t`Redeemed` : t`Current value`}
        size="xl"
        foot={isRedeemed ? t`Paid to your Primary Wallet` : <Working plan={plan} />}
      >
        <Money value={isRedeemed ? plan.redeemed : plan.value} />
      </Figure>
      <Figure
        label={t`Realised P&L`}
        foot={
          <Trans
            text={t`<percent/> of the amount invested`}
            percent={<Percent value={percentOf(plan.result_total, plan.amount)} signed />}
          />
        }
      >
        <SignedMoney value={plan.result_total} arrow />
      </Figure>
      <Figure label={t`Invested`} foot={t`From the ${walletNames[plan.wallet_type]}`}>
        <Money value={plan.amount} />
      </Figure>
      <Figure label={t`Trades`} foot={t`In ${traded} of the last ${plan.sessions.length} sessions`}>
        {plan.trades}
      </Figure>
    </FigureStrip>
  );
}

/** Whether it has an open trade, and its unrealised result, which is not in the plan's result yet. */
function Working({ plan: { trade_id: tradeId, trade_state: state, value, principal } }: { plan: Plan }) {
  if (tradeId === null) return t`No open trade`;
  const trade = (inner: ReactNode) => <TextLink to={paths.trade(tradeId)}>{inner}</TextLink>;
  if (state === 'queued' || state === 'opening')
    return <Trans text={t`Its <trade>trade</trade> waits to open`} trade={trade} />;
  return (
    <Trans
      text={t`<pnl/> in an <trade>open trade</trade>`}
      pnl={<SignedMoney value={value - principal} />}
      trade={trade}
    />
  );
}

const DECISIONS_SHOWN = 10;

const decisionColumns = [
  column<PlanDecision>(t`Time, UTC`, ({ at }) => <When at={at} />, { width: '1%' }),
  column<PlanDecision>(t`Decision`, ({ words }) => translate(words)),
];

/** The strategy's decisions with their reasons, newest first, including those not to trade. */
function DecisionsPanel({ decisions, query }: { decisions: readonly PlanDecision[]; query: ListQuery }) {
  const { shown, paging } = usePages(decisions, DECISIONS_SHOWN, useKeptState('decisions', 0));
  return (
    <TablePanel
      title={t`Decisions`}
      columns={decisionColumns}
      rows={shown}
      rowKey={({ at, reason }) => `${at} ${reason}`}
      query={query}
      dense
      minHeight={160}
      paging={paging}
      mobileRow={({ at, words }) => (
        <>
          <Note>
            <When at={at} /> UTC
          </Note>
          {translate(words)}
        </>
      )}
      empty={{
        icon: IconListDetails,
        title: t`No decisions yet`,
        text: t`The strategy decides every 15 minutes of a session. Each decision appears here with its reason.`,
      }}
    />
  );
}
