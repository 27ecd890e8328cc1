import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { plural, t } from '../../api/texts.ts';
import { formatRate, incomeLabels, rankLabels } from '../../entities/income/labels.ts';
import { ShareBar } from '../../ui/charts/share-bar.tsx';
import { formatCount, formatMoney } from '../../ui/format/number.ts';
import { formatDate, formatMonth } from '../../ui/format/time.ts';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog.tsx';
import { useLast } from '../../ui/forms/dialog.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../ui/layout/panel.tsx';
import { StateBadge } from '../../ui/state/state-badge.tsx';
import { FaultPanel } from '../../ui/table/data-table-states.tsx';
import { Figure, FigureStrip } from '../../ui/text/figure.tsx';
import { Money } from '../../ui/text/money.tsx';
import { Note, Paragraph } from '../../ui/text/paragraph.tsx';
import { IncomeTabs, shareFacts } from './income-page.tsx';
import { MonthlyRanks } from './monthly-ranks.tsx';
import { monthsQuery, rewardsQuery, useClaimReward } from './queries.ts';

type Rewards = DataOf<typeof income.listRewards>;

/** The ranks with this month's progress, and which were reached, claimed and paid. */
export function RewardsPage() {
  const query = useQuery(rewardsQuery);
  const monthly = useQuery(monthsQuery());
  const months = monthly.data;
  const rewards = query.data;
  return (
    <>
      <PageHead
        title={incomeLabels.reward.name}
        facts={shareFacts(t`One reward for each rank, from the rewards pool.`)}
      />
      <IncomeTabs />
      <FaultPanel query={query} />
      <Figures rewards={rewards} />
      {rewards && (
        <Panel
          title={t`Ranks`}
          rule
          padded={false}
          control={
            <Text span size="xs">
              {t`${formatMonth(rewards.period)}, levels 1 to 10`}
            </Text>
          }
        >
          <Ladder rewards={rewards} />
          <Paragraph maw={760} px={{ base: 'md', sm: 20 }} py={14}>
            {legRule(rewards)}
          </Paragraph>
        </Panel>
      )}
      {rewards && !months && <FaultPanel query={monthly} />}
      {/* Not above what it would move. */}
      {months && !query.isPending && <MonthlyRanks ranks={months.ranks} coverages={months.coverages} />}
    </>
  );
}

function Figures({ rewards }: { rewards: Rewards | undefined }) {
  const reached = rewards?.ranks.filter(({ state }) => state !== 'locked').length;
  return (
    <FigureStrip>
      <Figure label={t`Your team volume this month`} foot={t`Levels 1 to 10`}>
        <Money value={rewards?.volume} decimals={2} />
      </Figure>
      <Figure label={t`Ranks reached`} foot={rewards && t`Of ${rewards.ranks.length}, in any month so far`}>
        {reached ?? '–'}
      </Figure>
      <Figure label={t`Rewards pool`} foot={t`Available for rewards`}>
        <Money value={rewards?.pool} />
      </Figure>
      <Figure
        label={t`Claims in the queue`}
        foot={
          rewards &&
          (rewards.waiting === 0 ? t`No claims waiting` : t`${formatMoney(rewards.waiting_amount, 2)} in total`)
        }
      >
        {rewards ? formatCount(rewards.waiting) : '–'}
      </Figure>
    </FigureStrip>
  );
}

/** The leg rule worked out with a rank's numbers. */
function legRule({ leg_cap: cap, ranks }: Rewards): string {
  const example = ranks.find(({ state }) => state === 'locked') ?? ranks.at(-1);
  return [
    t`The volume of one month counts. A leg is a direct referral and everybody below, down to your level 10. One leg counts for at most ${formatRate(cap)} of the volume of a rank.`,
    example &&
      t`For ${rankLabels[example.rank]} that is ${formatMoney((example.required * cap) / 100, 2)} of ${formatMoney(example.required, 2)}. A reward is never more than your contributed part of what that month put into the rewards pool. Of several ranks reached in one month, the highest pays.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** From Bronze to Diamond: progress, state, and the claim of a reached rank. */
function Ladder({ rewards }: { rewards: Rewards }) {
  const [asking, setAsking] = useState<RewardRank>();
  const asked = useLast(asking);
  return (
    <>
      <Rows aria-label={t`Ranks`}>
        {rewards.ranks.map((entry) => (
          <li key={entry.rank}>
            <Group gap="4px 12px" mih={36}>
              <Title order={3} fz="md">
                {rankLabels[entry.rank]}
              </Title>
              <StateBadge of="income" state={entry.state}>
                {entry.state === 'waiting' && entry.place !== null
                  ? t`Waiting, place ${formatCount(entry.place)}`
                  : undefined}
              </StateBadge>
              <Text span fw={600} ml="auto">
                {entry.state === 'locked' || entry.state === 'passed'
                  ? t`up to ${formatMoney(entry.reward, 'typed')}`
                  : formatMoney(entry.reward, 'typed')}
              </Text>
              {entry.state === 'claimable' && (
                <Button
                  variant="default"
                  aria-label={t`Claim the ${rankLabels[entry.rank]} reward`}
                  onClick={() => setAsking(entry)}
                >
                  {t`Claim`}
                </Button>
              )}
            </Group>
            <Reached entry={entry} />
          </li>
        ))}
      </Rows>
      {asked && (
        <ClaimDialog
          entry={asked}
          opened={asking !== undefined}
          rewards={rewards}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** This month's progress; a rank that was reached once stays reached. */
function Reached({ entry }: { entry: RewardRank }) {
  const { rank, required, reached, state } = entry;
  const part = state === 'locked' ? Math.min(1, reached / required) : 1;
  const words = wordsOf(entry);
  return (
    <>
      <Box
        role="progressbar"
        aria-label={rankLabels[rank]}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(part * 100)}
        aria-valuetext={words}
        mt="xs"
      >
        <ShareBar share={part} />
      </Box>
      <Note mt={6}>{words}</Note>
    </>
  );
}

function wordsOf(entry: RewardRank): string {
  const { reached, required, state, contributed } = entry;
  if (state === 'locked') return t`${formatMoney(reached, 2)} of ${formatMoney(required, 2)} counted so far this month`;
  if (state === 'passed') return t`You reached a higher rank first: its reward is the one that counts.`;
  const words = reachedText(entry);
  return contributed === null ? words : `${words} · ${t`contributed part ${formatMoney(contributed)}`}`;
}

function reachedText({ month, required, paid_at: paidAt, state }: RewardRank): string {
  const volume = formatMoney(required, 2);
  const reached = month === null ? t`${volume} reached` : t`${volume} reached in ${formatMonth(month)}`;
  if (paidAt !== null) return t`${reached}, paid on ${formatDate(paidAt)}`;
  return state === 'waiting' ? t`${reached}, claimed` : reached;
}

type ClaimDialogProps = { entry: RewardRank; opened: boolean; rewards: Rewards; onClose: () => void };

/** States before the claim whether the reward is paid now or queued, and at which place. */
function ClaimDialog({ entry, opened, rewards, onClose }: ClaimDialogProps) {
  const claim = useClaimReward();
  const rank = rankLabels[entry.rank];
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Claim the ${rank} reward?`}
      keep={t`Not now`}
      confirm={t`Claim reward`}
      busy={claim.isPending}
      busyLabel={t`Claiming`}
      refused={claim.error}
      onConfirm={() =>
        claim.mutate(entry.rank, {
          onSuccess: (claimed) => {
            toast.success(t`${rank} reward`, claimedText(claimed));
            onClose();
          },
        })
      }
    >
      {outcomeOf(entry, rewards).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p>{t`The reward of a rank can be claimed once.`}</p>
    </ConfirmDialog>
  );
}

function outcomeOf(entry: RewardRank, { pool, waiting }: Rewards): string[] {
  const reward = formatMoney(entry.reward, 'typed');
  const available = t`The rewards pool has ${formatMoney(pool)}.`;
  if (waiting === 0 && pool >= entry.reward) return [t`${reward} goes to your Profit Wallet now. ${available}`];
  return [
    [
      available,
      waiting > 0 && plural(waiting, { one: '# claim is before yours.', other: '# claims are before yours.' }),
      t`Your ${reward} waits in the queue at place ${formatCount(waiting + 1)}.`,
    ]
      .filter(Boolean)
      .join(' '),
    t`It is paid into your Profit Wallet once fees have filled the pool, first come, first served. Nobody can say when.`,
  ];
}

function claimedText({ state, place, reward }: RewardRank): string {
  if (state === 'paid') return t`${formatMoney(reward, 'typed')} is in your Profit Wallet.`;
  return place === null
    ? t`Your claim is in the queue.`
    : t`Your claim is in the queue at place ${formatCount(place)}.`;
}
