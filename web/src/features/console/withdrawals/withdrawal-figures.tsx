import { useQuery } from '@tanstack/react-query';
import type { Overview } from '#contract/operator/overview.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { formatDateTime, formatTime } from '../../../ui/format/time.ts';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { formatAge } from '../kit/age.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { overviewQuery } from '../shell/queries.ts';

const DAY_MS = 86_400_000;

/** What waits for approval, how long the oldest has, and whether the gateway holds enough for all that is to be paid. */
export function WithdrawalFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.withdrawals.find(({ state }) => state === 'requested');
  const oldest = queue?.oldest_at ?? null;
  const oldestMs = oldest === null ? null : now - Date.parse(oldest);
  const two = data?.queues.two_person;
  return (
    <FigureStrip>
      <Figure label="Waiting" foot={queue && requests(queue.count)}>
        {formatMoney(queue?.amount, 2)}
      </Figure>
      <Figure
        label="Oldest"
        foot={
          oldest !== null && oldestMs !== null
            ? `asked at ${oldestMs < DAY_MS ? `${formatTime(oldest)} UTC` : formatDateTime(oldest)}`
            : queue && 'nothing waits'
        }
      >
        {oldestMs === null ? '–' : formatAge(oldestMs)}
      </Figure>
      <Figure label="Need two operators" foot={two && firstApprovals(two)}>
        {two?.count ?? '–'}
      </Figure>
      <Figure label="Free at the gateway" foot={data && coverWords(data)}>
        {formatMoney(data?.assets.gateway, 2)}
      </Figure>
    </FigureStrip>
  );
}

const requests = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'request' : 'requests'}`;

function firstApprovals({ count, first_approved }: Overview['queues']['two_person']): string {
  if (count === 0) return `from ${formatMoney(withdrawalRules.twoOperatorsFromDollars, 'typed')} a member and day on`;
  if (first_approved === 0) return 'none has its first approval';
  return first_approved === 1 ? 'one has its first approval' : `${first_approved} have their first approval`;
}

/** `queues.withdrawals` has every state in which money is still to leave. */
function coverWords({ assets, queues }: Overview): string {
  const owed = queues.withdrawals.reduce((sum, { amount }) => sum + amount, 0);
  const short = owed - assets.gateway;
  return short > 0 ? `${formatMoney(short, 2)} short of all that waits` : 'covers all that waits';
}
