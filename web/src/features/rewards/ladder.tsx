import { Button } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { income, RewardRank } from '#contract/income.ts';
import { rankWords } from '../../entities/income/labels.ts';
import { formatMoney } from '../../ui/format/money.ts';
import { formatDate, formatMonth } from '../../ui/format/time.ts';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import classes from './rewards.module.css';

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
      <ol className={classes.ladder} aria-label="Ranks">
        {rewards.ranks.map((entry) => (
          <li key={entry.rank}>
            <div className={classes.head}>
              <h3>{rankWords[entry.rank]}</h3>
              <State entry={entry} />
              <span className={classes.reward}>
                {entry.state === 'locked' && 'up to '}
                <b>{formatMoney(entry.reward, 'typed')}</b>
              </span>
              {entry.state === 'claimable' && (
                <Button
                  variant="default"
                  aria-label={`Claim the ${rankWords[entry.rank]} reward`}
                  onClick={() => ask(entry)}
                >
                  Claim
                </Button>
              )}
            </div>
            <Progress entry={entry} />
          </li>
        ))}
      </ol>
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
function Progress({ entry }: { entry: RewardRank }) {
  const { rank, required, reached, state } = entry;
  const part = state === 'locked' ? Math.min(1, reached / required) : 1;
  const words =
    state === 'locked'
      ? `${formatMoney(reached, 2)} of ${formatMoney(required, 2)} counts so far this month`
      : reachedWords(entry);
  return (
    <>
      <div
        className={classes.track}
        role="progressbar"
        aria-label={rankWords[rank]}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(part * 100)}
        aria-valuetext={words}
      >
        <i style={{ width: `${part * 100}%` }} />
      </div>
      <p className={classes.words}>{words}</p>
    </>
  );
}

function reachedWords({ month, required, paid_at: paidAt, state }: RewardRank): string {
  const reached = `${formatMoney(required, 2)} was reached${month === null ? '' : ` in ${formatMonth(month)}`}`;
  if (paidAt !== null) return `${reached}, paid on ${formatDate(paidAt)}`;
  return state === 'waiting' ? `${reached}, claimed` : reached;
}
