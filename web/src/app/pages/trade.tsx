import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { trading } from '#contract/endpoints.ts';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { CallError } from '../../api/call.ts';
import { sessionQuery } from '../../api/market/queries.ts';
import { waitReason } from '../../api/market/waits-labels.ts';
import { pollEvery, queryOf } from '../../api/query-of.ts';
import { t } from '../../api/texts.ts';
import { DelayedBanner } from '../../entities/trade/delayed.tsx';
import { useNegativeMembers } from '../../entities/trade/negative-members.ts';
import { TradeChart } from '../../features/trade-detail/trade-chart.tsx';
import { StepsPanel, TradeFigures, TransfersPanel } from '../../features/trade-detail/trade-panels.tsx';
import { WorkingPanel } from '../../features/trade-detail/working-panel.tsx';
import { formatDateTime } from '../../ui/format/time.ts';
import { AskAbout } from '../../ui/forms/ask-about.tsx';
import { Banner } from '../../ui/frame/banner.tsx';
import { Column, Columns } from '../../ui/layout/columns.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { paths } from '../../ui/paths.ts';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import { Note } from '../../ui/text/paragraph.tsx';
import { TextLink } from '../../ui/text/text.tsx';
import { NotFoundPage } from './not-found.tsx';

const ID = /^[1-9]\d{0,17}$/;

/** `/trades/12`: the life cycle of one trade. A foreign or unknown trade is not found. */
export function TradePage() {
  const { id = '' } = useParams();
  return ID.test(id) ? <OneTrade key={id} id={id} /> : <NotFoundPage />;
}

function OneTrade({ id }: { id: string }) {
  const query = useQuery(tradeDetailQuery(id));
  const negative = useNegativeMembers();
  const detail = query.data;
  if (query.error instanceof CallError && query.error.status === 404) return <NotFoundPage />;
  return (
    <>
      <PageHead
        title={detail ? t`${detail.trade.symbol}/usdt, trade ${id}` : t`Trade ${id}`}
        facts={detail ? <Facts detail={detail} /> : '\u00a0'}
      />
      <FaultPanel query={query} />
      {detail && (
        <>
          <WaitsLine trade={detail.trade} />
          {!isOver(detail) && <DelayedBanner symbol={detail.trade.symbol} />}
          <TradeFigures detail={detail} />
          <Columns>
            <Column>
              <TradeChart detail={detail} />
              <WorkingPanel detail={detail} />
            </Column>
            <StepsPanel detail={detail} />
          </Columns>
          <TransfersPanel transfers={detail.transfers} query={query} />
          <Note>{negative}</Note>
        </>
      )}
    </>
  );
}

/** Why a trade due to open or close does not: what holds up all trades, or those of its asset. */
function WaitsLine({ trade }: { trade: TradeDetail['trade'] }) {
  const { data: session } = useQuery(sessionQuery);
  const waits = waitReason(session, [trade.symbol]);
  if (waits === null || !(trade.state === 'queued' || trade.state === 'opening' || trade.closing)) return null;
  return (
    <Banner icon={IconClock} title={waits}>
      {trade.closing ? t`This trade closes once this is resolved.` : t`This trade opens once this is resolved.`}
    </Banner>
  );
}

/** Placed at the market time of its timeline. */
function Facts({ detail: { trade, events } }: { detail: TradeDetail }) {
  return (
    <>
      <StateBadge of="trade" state={trade.closing ? 'settling' : trade.state}>
        {trade.closing ? t`Closing` : undefined}
      </StateBadge>{' '}
      {t`Placed ${formatDateTime(events[0]?.at ?? trade.placed_at)}`} ·{' '}
      <TextLink to={paths.symbol(trade.symbol)}>{`${trade.symbol}/usdt`}</TextLink>
      {trade.plan_id !== null && (
        <>
          {' '}
          · <TextLink to={paths.plan(trade.plan_id)}>{t`plan ${trade.plan_id}`}</TextLink>
        </>
      )}{' '}
      · <AskAbout kind="trade" id={trade.id} label={t`Trade ${trade.id}`} />
    </>
  );
}

const POLL_MS = 5_000;

/** One trade with all details; a finished one is not polled. */
const tradeDetailQuery = (id: string) =>
  queryOf(['trading', 'trade', id], trading.getTrade, {
    params: { id },
    retry: false,
    refetchInterval: (query) => (isOver(query.state.data) ? false : pollEvery(POLL_MS)(query)),
  });

const isOver = (detail: TradeDetail | undefined): boolean =>
  detail?.trade.state === 'settled' || detail?.trade.state === 'cancelled';
