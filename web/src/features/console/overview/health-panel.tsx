import type { Overview } from '#contract/operator/overview.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { type Check, CheckList } from '../kit/check-list.tsx';

/** Whether prices come, orders go and the books are right. */
export function healthOf({ feed, session, venue, payouts, integrity }: Overview): Check[] {
  return [
    {
      key: 'feed',
      state: feed.stale || feed.ended ? 'look' : 'done',
      words: `Prices: ${feed.label ?? 'live'}, ${feed.stale ? 'stale since' : feed.ended ? 'ended' : 'at'} ${formatDateTime(feed.at)}`,
    },
    {
      key: 'session',
      state: session.state === 'settling' ? 'waits' : 'done',
      words: `Session: ${session.state}`,
    },
    {
      key: 'venue',
      state: venue.state === 'up' ? 'done' : 'look',
      words:
        venue.kind === 'paper'
          ? 'Venue: paper, always up'
          : `Venue: ${venue.state}${venue.since ? ` since ${formatDateTime(venue.since)}` : ''}`,
    },
    {
      key: 'payouts',
      state: payouts.stopped ? 'look' : 'done',
      words: payouts.stopped ? 'Payouts: stopped' : 'Payouts: going on',
    },
    booksOf(integrity),
  ];
}

const verdicts = {
  passed: 'right',
  failed: 'wrong',
  broken: 'could not be checked',
  running: 'being checked',
} as const;

function booksOf({ last }: Overview['integrity']): Check {
  if (last === null) return { key: 'integrity', state: 'waits', words: 'Books: not checked yet' };
  return {
    key: 'integrity',
    state: last.state === 'passed' ? 'done' : 'look',
    words: `Books: ${verdicts[last.state]}, ${formatDateTime(last.finished_at ?? last.started_at)}`,
  };
}

export function HealthPanel({ overview }: { overview: Overview }) {
  return (
    <Panel title="Health">
      <CheckList checks={healthOf(overview)} />
    </Panel>
  );
}
