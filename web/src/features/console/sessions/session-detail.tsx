import { useQuery } from '@tanstack/react-query';
import type { SessionDetail } from '#contract/operator/sessions.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { CheckList } from '../kit/check-list.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-states.tsx';
import { AssetPrices } from './asset-prices.tsx';
import { BonusRun } from './bonus-run.tsx';
import { countOf, percentOfBps } from './labels.ts';
import { sessionDetailQuery } from './queries.ts';
import { SessionBadge } from './session-badges.tsx';
import { useSessionActions } from './use-session-actions.tsx';

type SessionDetailPanelProps = { day: string; operator: Operator; onClose: () => void };

/** One session with all that explains its numbers. */
export function SessionDetailPanel({ day, operator, onClose }: SessionDetailPanelProps) {
  const query = useQuery(sessionDetailQuery(day));
  const { buttons, outcome } = useSessionActions(day, operator, query.data);
  return (
    <DetailPanel
      title={day}
      kind="Session"
      badge={query.data && <SessionBadge state={query.data.state} />}
      onClose={onClose}
      foot={buttons}
    >
      {query.data ? (
        <>
          {outcome}
          <Loaded session={query.data} />
        </>
      ) : (
        query.isError && <DeskError query={query} title="It could not be loaded" />
      )}
    </DetailPanel>
  );
}

function Loaded({ session }: { session: SessionDetail }) {
  const { figures, manifest_hash: hash, halts, assets } = session;
  return (
    <>
      <DetailLead>
        {figures === null ? (
          <Figure label="Queued" size="xl" foot={session.queued && countOf(session.queued.trades, 'trade')}>
            {session.queued === null ? '–' : formatMoney(session.queued.staked, 2)}
          </Figure>
        ) : (
          <Figure
            label="Gross result, before fees"
            size="xl"
            foot={`${countOf(figures.trades, 'trade')} of ${countOf(figures.members, 'member')}, ${formatMoney(figures.staked, 2)} staked`}
          >
            <SignedMoney value={figures.gross} decimals={2} />
          </Figure>
        )}
      </DetailLead>
      <DetailSection title="Session, market time">
        <KeyValues items={factsOf(session)} />
      </DetailSection>
      {assets.length > 0 && (
        <DetailSection title="Prices and positions">
          <AssetPrices assets={assets} />
        </DetailSection>
      )}
      {hash !== null && (
        <DetailSection title="Manifest of the results">
          <CopyBox value={hash} what="hash" />
        </DetailSection>
      )}
      {session.bonus && <BonusRun run={session.bonus} periods={session.periods} />}
      {halts.length > 0 && (
        <DetailSection title="Halts, market time">
          {halts.map((halt) => (
            <p key={halt.version}>
              {formatTime(halt.market_time)} to {halt.lifted ? formatTime(halt.lifted.market_time) : 'now'} UTC, by{' '}
              {halt.by.name}: {halt.reason}
            </p>
          ))}
        </DetailSection>
      )}
      {session.findings.length > 0 && (
        <DetailSection title="The last check of the books">
          <CheckList checks={session.findings.map((words) => ({ key: words, state: 'look', words }))} />
        </DetailSection>
      )}
    </>
  );
}

const timeOrDash = (at: string | null): string => (at === null ? '–' : formatDateTime(at));

function factsOf({ fee_plan: plan, figures, ...session }: SessionDetail): (readonly [string, string])[] {
  return [
    ['Opened', timeOrDash(session.opened_at)],
    ['Closed', timeOrDash(session.closed_at)],
    ['Settled', timeOrDash(session.settled_at)],
    [
      'Fee plan',
      plan === null
        ? '–'
        : `no. ${plan.id}: ${percentOfBps(plan.trade_fee_bps)}, ${percentOfBps(plan.performance_fee_bps)} of gains`,
    ],
    ...(figures === null
      ? []
      : ([
          ['Trade fees', formatMoney(figures.trade_fees)],
          ['Performance fees', formatMoney(figures.performance_fees)],
        ] as const)),
    ...(session.blocks > 0 ? ([['Booked', `${countOf(session.blocks, 'block')} of 4,096 members`]] as const) : []),
  ];
}
