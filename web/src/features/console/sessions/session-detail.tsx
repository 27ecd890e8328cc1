import { Button, Group, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { SessionAsset, SessionDetail, SessionRerun } from '#contract/operator/sessions.ts';
import type { Operator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime, formatDays, formatTime } from '../../../ui/format/time.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { KeyValues } from '../../../ui/table/key-values.tsx';
import { Figure } from '../../../ui/text/figure.tsx';
import { SignedMoney } from '../../../ui/text/money.tsx';
import { StateBadge, stateWord } from '../../../ui/text/state-badge.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { DetailLead, DetailPanel, DetailSection } from '../kit/detail-panel.tsx';
import { DeskError } from '../kit/list-table.tsx';
import { Quiet } from '../kit/quiet.tsx';
import { payers } from '../roles.ts';
import { countOf, partWords, percentOfBps, shortHash } from './labels.tsx';
import { sessionDetailQuery, useRerun, useTryAgain } from './queries.ts';

type SessionDetailPanelProps = { day: string; operator: Operator; onClose: () => void };

/** One session with all that explains its numbers. */
export function SessionDetailPanel({ day, operator, onClose }: SessionDetailPanelProps) {
  const query = useQuery(sessionDetailQuery(day));
  const { buttons, outcome } = useSessionActions(day, operator, query.data);
  return (
    <DetailPanel
      title={day}
      kind="Session"
      badge={query.data && <StateBadge of="session" state={query.data.state} />}
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

/** A week or month is paid right after it is computed; one that stays so is held by an alarm. */
const periodWords: Readonly<Record<SessionDetail['periods'][number]['state'], string>> = {
  computing: 'Being computed',
  paying: 'Computed; held while an alarm stands',
  checking: 'Being checked',
  done: 'Done',
};

type BonusRunProps = { run: NonNullable<SessionDetail['bonus']>; periods: SessionDetail['periods'] };

/** How the session's fees were shared out, and the week and the month that hang on it. */
function BonusRun({ run, periods }: BonusRunProps) {
  const { shares, inputs_hash: inputs, outputs_hash: outputs } = run;
  return (
    <>
      <DetailSection title={`Bonus run: ${stateWord(run.state).toLowerCase()}`}>
        <KeyValues
          items={[
            ['Fee plan', `no. ${run.fee_plan}`],
            ['Paid', `${countOf(run.blocks, 'block')} of 4,096 members`],
            ...(shares === null
              ? []
              : ([
                  ['Referral bonus', formatMoney(shares.referral_bonus)],
                  ['Team level bonus', formatMoney(shares.level_bonus)],
                  ['Team profit', formatMoney(shares.team_profit)],
                  ['Weekly pool', formatMoney(shares.pool_weekly)],
                  ['Monthly pool', formatMoney(shares.pool_monthly)],
                  ['Rewards pool', formatMoney(shares.pool_rewards)],
                  ['Revenue', formatMoney(shares.revenue)],
                ] as const)),
            ...(run.finished_at === null ? [] : ([['Books found right', formatDateTime(run.finished_at)]] as const)),
          ]}
        />
      </DetailSection>
      {inputs !== null && (
        <DetailSection title="What it rests on">
          <CopyBox value={inputs} what="hash" />
        </DetailSection>
      )}
      {outputs !== null && (
        <DetailSection title="What it paid">
          <CopyBox value={outputs} what="hash" />
        </DetailSection>
      )}
      {periods.map((period) => (
        <DetailSection
          key={period.kind}
          title={`${period.kind === 'weekly' ? 'Weekly' : 'Monthly'} income, ${formatDays(period.starts_on, period.ends_on)}`}
        >
          <KeyValues
            items={[
              ['State', periodWords[period.state]],
              ['Pool', formatMoney(period.pool)],
              [
                period.state === 'paying' ? 'To be paid' : 'Paid',
                period.paid === null ? '–' : formatMoney(period.paid),
              ],
            ]}
          />
          {period.outputs_hash !== null && <CopyBox value={period.outputs_hash} what="hash" />}
        </DetailSection>
      ))}
    </>
  );
}

/** What each asset opened and closed at, and what its positions came to. */
function AssetPrices({ assets }: { assets: readonly SessionAsset[] }) {
  return (
    <Stack component="ul" gap={20}>
      {assets.map((asset) => (
        <li key={asset.symbol}>
          <Group gap={10} wrap="nowrap">
            <b>{asset.symbol.toUpperCase()}</b>
            <Text size="sm" flex={1} c="var(--tw-text-2)">
              {countOf(asset.trades, 'trade')}, {formatMoney(asset.staked, 2)}
            </Text>
            <SignedMoney value={asset.result} decimals={2} />
          </Group>
          {asset.open.trades > 0 && (
            <Quiet>
              {countOf(asset.open.trades, 'trade')} not sold yet, {formatMoney(asset.open.staked, 2)}
            </Quiet>
          )}
          <Price
            label={asset.opening.source === 'stored' ? 'Opened' : 'Opened, mark worked back'}
            price={asset.opening}
          />
          {asset.closing && (
            <Price label={asset.closing.late ? 'Closed, first fresh minute after' : 'Closed'} price={asset.closing} />
          )}
        </li>
      ))}
    </Stack>
  );
}

/** `Opened 12:30:00 at 100.05: mark 100, spread 0.1 %` */
function Price({ label, price }: { label: string; price: Omit<SessionAsset['opening'], 'source'> }) {
  return (
    <Quiet>
      {label} {price.at.slice(11, 19)} at <b>{price.price}</b>: mark {price.mark}, spread{' '}
      {percentOfBps(price.spread_bps)}
    </Quiet>
  );
}

/** Whether something of a session that closed is not done: it goes on by itself, unless it stands still. */
const isUnfinished = ({ state, bonus }: SessionDetail): boolean =>
  state === 'settling' || (state === 'settled' && bonus?.state !== 'done');

/** What can be done with a session, and what came of its re-run. */
function useSessionActions(day: string, operator: Operator, session: SessionDetail | undefined) {
  const rerun = useRerun(day);
  const tryAgain = useTryAgain();
  const mayRerun = session?.state === 'settled' && payers.includes(operator.role);
  const mayTryAgain = session !== undefined && isUnfinished(session) && operator.role === 'admin';
  const buttons = (mayRerun || mayTryAgain) && (
    <>
      {mayTryAgain && (
        <Button
          size="lg"
          variant="default"
          disabled={tryAgain.isPending}
          onClick={() =>
            tryAgain.mutate(undefined, {
              onSuccess: () => toast.success('It is tried again', 'It goes on where it stands'),
            })
          }
        >
          Try again
        </Button>
      )}
      {mayRerun && (
        <BusyButton
          size="lg"
          variant="default"
          leftSection={<IconRefresh size={16} stroke={1.5} aria-hidden />}
          busy={rerun.isPending}
          busyLabel="Working it out"
          onClick={() => rerun.mutate()}
        >
          Work it out again
        </BusyButton>
      )}
      {mayRerun && <p>Nothing is posted; the hashes are compared.</p>}
    </>
  );
  const outcome = rerun.data && (
    <DetailSection title={`Worked out again in ${rerun.data.took_ms.toLocaleString('en-US')} ms`}>
      <CheckList checks={rerun.data.parts.map(checkOf)} />
    </DetailSection>
  );
  return { buttons, outcome };
}

const checkOf = ({ part, same, stored, replayed }: SessionRerun['parts'][number]): Check => ({
  key: part,
  state: same ? 'done' : 'look',
  words: same
    ? `${partWords[part]}: the same, ${shortHash(stored)}`
    : `${partWords[part]}: stored as ${shortHash(stored)}, comes out as ${shortHash(replayed)}`,
});
