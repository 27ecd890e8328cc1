import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { rankWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDate, formatMonth } from '../../ui/format/time.ts';
import { Rows } from '../../ui/frame/rows.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { Words } from '../../ui/text/words.tsx';
import { ClaimDialog } from './claim-dialog.tsx';

type Rewards = DataOf<typeof income.listRewards>;

/** From Bronze to Diamond: progress, state, and the claim of what was reached. */
export function Ladder({ rewards }: { rewards: Rewards }) {
  // What was asked about stays there while the dialog goes away.
  const [asking, setAsking] = useState<RewardRank>();
  const [isAsking, setIsAsking] = useState(false);
  const ask = (entry: RewardRank) => {
    setAsking(entry);
    setIsAsking(true);
  };
  return (
    <>
      <Rows aria-label="Ranks">
        {rewards.ranks.map((entry) => (
          <li key={entry.rank}>
            <Group gap="4px 12px" mih={36}>
              <Title order={3} fz="md">
                {rankWords[entry.rank]}
              </Title>
              <State entry={entry} />
              <Words ml="auto">
                {entry.state === 'locked' && 'up to '}
                <b>{formatMoney(entry.reward, 'typed')}</b>
              </Words>
              {entry.state === 'claimable' && (
                <Button
                  variant="default"
                  aria-label={`Claim the ${rankWords[entry.rank]} reward`}
                  onClick={() => ask(entry)}
                >
                  Claim
                </Button>
              )}
            </Group>
            <Reached entry={entry} />
          </li>
        ))}
      </Rows>
      {asking && <ClaimDialog entry={asking} opened={isAsking} rewards={rewards} onClose={() => setIsAsking(false)} />}
    </>
  );
}

function State({ entry: { state, place } }: { entry: RewardRank }) {
  return (
    <StateBadge of="income" state={state}>
      {state === 'waiting' && place !== null ? `Waiting, place ${place.toLocaleString('en-US')}` : undefined}
    </StateBadge>
  );
}

/** How far this month's volume has come; a rank that was reached once stays reached. */
function Reached({ entry }: { entry: RewardRank }) {
  const { rank, required, reached, state } = entry;
  const part = state === 'locked' ? Math.min(1, reached / required) : 1;
  const words =
    state === 'locked'
      ? `${formatMoney(reached, 2)} of ${formatMoney(required, 2)} counts so far this month`
      : reachedWords(entry);
  return (
    <>
      <Box
        role="progressbar"
        aria-label={rankWords[rank]}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(part * 100)}
        aria-valuetext={words}
        h={6}
        mt="xs"
        bdrs={4}
        bg="var(--tw-surface-3)"
      >
        <Box h="100%" w={`${part * 100}%`} bdrs={4} bg="var(--tw-accent)" />
      </Box>
      <Text size="xs" c="dimmed" mt={6}>
        {words}
      </Text>
    </>
  );
}

function reachedWords({ month, required, paid_at: paidAt, state }: RewardRank): string {
  const reached = `${formatMoney(required, 2)} was reached${month === null ? '' : ` in ${formatMonth(month)}`}`;
  if (paidAt !== null) return `${reached}, paid on ${formatDate(paidAt)}`;
  return state === 'waiting' ? `${reached}, claimed` : reached;
}
