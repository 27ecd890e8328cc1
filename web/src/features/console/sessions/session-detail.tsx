import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { consoleJobs, consoleSessions } from '#contract/endpoints.ts';
import type { SessionAsset, SessionDetail, SessionRerun } from '#contract/operator/sessions.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { pollEvery, queryOf } from '../../../api/query-of.ts';
import { formatBps } from '../../../entities/income/fees.ts';
import { formatMoney, grouped } from '../../../ui/format/number.ts';
import { formatDate, formatDateTime, formatDays, formatTimeOn } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { StateBadge, stateLabel } from '../../../ui/state/state-badge.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { shorten } from '../../../ui/text/text.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { countOf } from '../kit/count-of.ts';
import {
  CopyBox,
  DetailFacts,
  DetailLead,
  DetailPanel,
  DetailSection,
  QueryDetail,
  Quiet,
} from '../kit/detail-panel.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { financeRoles } from '../roles.ts';

const DETAIL_POLL_MS = 15_000;

/** A session is final once its bonus run has finished. */
const sessionDetailQuery = (day: string) =>
  queryOf(['operator', 'sessions', 'one', day], consoleSessions.getSessionDetail, {
    params: { day },
    refetchInterval: (query) => (query.state.data?.bonus?.state === 'done' ? false : pollEvery(DETAIL_POLL_MS)(query)),
  });

/** One session with everything that explains its figures. */
export const SessionDetailPanel = ({ day, onClose }: { day: string; onClose: () => void }) => (
  <QueryDetail query={sessionDetailQuery(day)} kind="Session" onClose={onClose}>
    {(session) => <Loaded session={session} onClose={onClose} />}
  </QueryDetail>
);

function Loaded({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { role } = useOperator();
  const { day, state, figures, queued, manifest_hash: digest, bonus, halts, assets } = session;
  const rerun = useOperatorMutation(() => call(consoleSessions.rerunSession, { params: { day } }), []);
  const mayRetry = role === 'admin' && isUnfinished(session);
  const mayRerun = state === 'settled' && financeRoles.includes(role);
  // A halt can begin days before the session, and end days after it.
  const clock = (at: string) => formatTimeOn(day, at);
  return (
    <DetailPanel
      title={formatDate(day)}
      kind="Session"
      badge={<StateBadge of="session" state={state} />}
      onClose={onClose}
      foot={
        (mayRetry || mayRerun) && (
          <>
            {mayRetry && <RetryButton />}
            {mayRerun && (
              <BusyButton
                size="lg"
                variant="default"
                leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />}
                busy={rerun.isPending}
                busyLabel="Recalculating"
                onClick={() => rerun.mutate()}
              >
                Recalculate
              </BusyButton>
            )}
          </>
        )
      }
      note={mayRerun && 'Posts nothing. It only compares the hashes.'}
    >
      {rerun.data && (
        <DetailSection title={`Recalculated in ${rerun.data.took_ms.toLocaleString('en-US')} ms`}>
          <CheckList checks={rerun.data.parts.map(checkOf)} />
        </DetailSection>
      )}
      <DetailLead>
        {figures === null ? (
          <Figure label="Queued" size="xl" foot={queued && countOf(queued.trades, 'trade')}>
            {queued === null ? '–' : formatMoney(queued.staked, 2)}
          </Figure>
        ) : (
          <Figure
            label="Gross P&L, before fees"
            size="xl"
            foot={`${countOf(figures.trades, 'trade')} by ${countOf(figures.members, 'member')}, ${formatMoney(figures.staked, 2)} traded`}
          >
            <SignedMoney value={figures.gross} decimals={2} />
          </Figure>
        )}
      </DetailLead>
      <SessionFacts session={session} />
      {assets.length > 0 && (
        <DetailSection title="Prices and positions">
          <AssetPrices assets={assets} />
        </DetailSection>
      )}
      <Digest title="Run digest of the results" hash={digest} />
      {bonus && <BonusRun run={bonus} periods={session.periods} />}
      {halts.length > 0 && (
        <DetailSection title="Halts, market time">
          {halts.map((halt) => (
            <p key={halt.version}>
              {clock(halt.market_time)} to {halt.lifted ? clock(halt.lifted.market_time) : 'now'} UTC, by {halt.by.name}
              : {halt.reason}
            </p>
          ))}
        </DetailSection>
      )}
      {session.findings.length > 0 && (
        <DetailSection title="Discrepancies of the last reconciliation">
          <CheckList checks={session.findings.map((words) => ({ key: words, state: 'warning', words }))} />
        </DetailSection>
      )}
    </DetailPanel>
  );
}

/** Runs the job that settles closed sessions and pays bonuses; it resumes where it stopped. */
function RetryButton() {
  const retry = useOperatorMutation(() => call(consoleJobs.runJob, { params: { name: 'income.follow' } }), []);
  return (
    <Button
      size="lg"
      variant="default"
      disabled={retry.isPending}
      onClick={() =>
        retry.mutate(undefined, { onSuccess: () => toast.success('Retry scheduled', 'It continues where it stopped.') })
      }
    >
      Retry settlement
    </Button>
  );
}

/** A closed session with work left: it normally continues by itself. */
const isUnfinished = ({ state, bonus }: SessionDetail): boolean =>
  state === 'settling' || (state === 'settled' && bonus?.state !== 'done');

const Digest = ({ title, hash }: { title: string; hash: string | null }) =>
  hash !== null && (
    <DetailSection title={title}>
      <CopyBox value={hash} what="hash" />
    </DetailSection>
  );

const timeOrDash = (at: string | null): string => (at === null ? '–' : formatDateTime(at));
const batchesOf = (count: number): string => `${countOf(count, 'batch', 'batches')} of 4,096 members`;
const money = (label: string, amount: number) => [label, formatMoney(amount)] as const;

function SessionFacts({ session: { fee_plan: plan, figures, blocks, ...session } }: { session: SessionDetail }) {
  return (
    <DetailFacts
      title="Session, market time"
      items={[
        ['Opened', timeOrDash(session.opened_at)],
        ['Closed', timeOrDash(session.closed_at)],
        ['Settled', timeOrDash(session.settled_at)],
        [
          'Fee plan',
          plan === null
            ? '–'
            : `No. ${plan.id}: ${formatBps(plan.trade_fee_bps)}, ${formatBps(plan.performance_fee_bps)} of gains`,
        ],
        figures && money('Trade fees', figures.trade_fees),
        figures && money('Performance fees', figures.performance_fees),
        blocks > 0 && ['Posted', batchesOf(blocks)],
      ]}
    />
  );
}

/** A period is paid right after it is computed; one that stays computed is held by an alarm. */
const periodLabels: Readonly<Record<SessionDetail['periods'][number]['state'], string>> = {
  computing: 'Computing',
  paying: 'Computed, on hold while an alarm is active',
  checking: 'Checking',
  done: 'Done',
};

type BonusRunProps = { run: NonNullable<SessionDetail['bonus']>; periods: SessionDetail['periods'] };

/** The distribution of the session's fees, with its week and month. */
const BonusRun = ({
  run: { state, fee_plan, blocks, shares, execution, finished_at, ...run },
  periods,
}: BonusRunProps) => (
  <>
    <DetailFacts
      title={`Bonus run: ${stateLabel(state).toLowerCase()}`}
      items={[
        ['Fee plan', `No. ${fee_plan}`],
        ['Paid', batchesOf(blocks)],
        execution && money('Execution cost', execution.cost),
        execution !== null && execution.uncovered > 0 && money('Not covered by fees', execution.uncovered),
        shares && money('Referral bonus', shares.referral_bonus),
        shares && money('Team level bonus', shares.level_bonus),
        shares && money('Team profit', shares.team_profit),
        shares && money('Weekly pool', shares.pool_weekly),
        shares && money('Monthly pool', shares.pool_monthly),
        shares && money('Rewards pool', shares.pool_rewards),
        shares && money('Revenue', shares.revenue),
        finished_at !== null && ['Reconciled', formatDateTime(finished_at)],
      ]}
    />
    <Digest title="Digest of inputs" hash={run.inputs_hash} />
    <Digest title="Digest of payments" hash={run.outputs_hash} />
    {periods.map((period) => (
      <DetailFacts
        key={period.kind}
        title={`${period.kind === 'weekly' ? 'Weekly' : 'Monthly'} income, ${formatDays(period.starts_on, Date.parse(period.ends_on) - 1)}`}
        items={[
          ['State', periodLabels[period.state]],
          money('Pool', period.pool),
          [period.state === 'paying' ? 'To pay' : 'Paid', period.paid === null ? '–' : formatMoney(period.paid)],
          period.released !== null && money('Retained of the pool', period.released),
        ]}
      >
        {period.outputs_hash !== null && <CopyBox value={period.outputs_hash} what="hash" />}
      </DetailFacts>
    ))}
  </>
);

/** Opening and closing price of each asset, and the P&L of its positions. */
const AssetPrices = ({ assets }: { assets: readonly SessionAsset[] }) => (
  <Stack component="ul" gap={20}>
    {assets.map(({ symbol, trades, staked, result, open, opening, closing }) => (
      <li key={symbol}>
        <Group gap={10} wrap="nowrap">
          <b>{symbol.toUpperCase()}</b>
          <Text size="sm" flex={1} c="var(--tw-text-2)">
            {countOf(trades, 'trade')}, {formatMoney(staked, 2)}
          </Text>
          <SignedMoney value={result} decimals={2} />
        </Group>
        {open.trades > 0 && (
          <Quiet>
            {countOf(open.trades, 'trade')} still open, {formatMoney(open.staked, 2)}
          </Quiet>
        )}
        <Opening opening={opening} />
        {closing && <Price label={closing.late ? 'Closed after the session' : 'Closed'} price={closing} />}
      </li>
    ))}
  </Stack>
);

function Opening({ opening }: { opening: SessionAsset['opening'] }) {
  if (opening.source !== 'filled')
    return <Price label={opening.source === 'stored' ? 'Opened' : 'Opened, mark price derived'} price={opening} />;
  return (
    <Quiet>
      Opened {opening.at.slice(11, 19)} at <b>{grouped(opening.price)}</b>, filled by the exchange
    </Quiet>
  );
}

/** `Opened 12:30:00 at 100.05: mark 100, spread 0.10%` */
const Price = ({ label, price }: { label: string; price: Omit<SessionAsset['opening'], 'source'> }) => (
  <Quiet>
    {label} {price.at.slice(11, 19)} at <b>{grouped(price.price)}</b>: mark {grouped(price.mark)}, spread{' '}
    {formatBps(price.spread_bps)}
  </Quiet>
);

const partLabels: Record<SessionRerun['parts'][number]['part'], string> = {
  results: 'Results',
  bonus_inputs: 'Bonus run inputs',
  bonus_outputs: 'Bonus run payments',
};

const checkOf = ({ part, same, stored, replayed }: SessionRerun['parts'][number]): Check => ({
  key: part,
  state: same ? 'done' : 'warning',
  words: same
    ? `${partLabels[part]}: match, ${shorten(stored, 8)}`
    : `${partLabels[part]}: stored ${shorten(stored, 8)}, recalculated ${shorten(replayed, 8)}`,
});
