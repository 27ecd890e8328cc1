import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Figure, FigureStrip } from '../../../ui/text/figure.tsx';
import { formatAge } from '../kit/age.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { overviewQuery } from '../shell/queries.ts';

/** How many wait for an answer, how long the longest has, and how many of them nobody has taken. */
export function TicketFigures() {
  const { data } = useQuery(overviewQuery);
  const now = useSlowNow();
  const queue = data?.queues.tickets;
  const oldest = queue?.oldest_at ?? null;
  return (
    <FigureStrip>
      <Figure label="Waiting for an answer" foot={queue && (queue.count === 1 ? 'ticket is open' : 'tickets are open')}>
        {queue?.count.toLocaleString('en-US') ?? '–'}
      </Figure>
      <Figure label="Longest" foot={oldest === null ? queue && 'nobody waits' : `since ${formatDateTime(oldest)}`}>
        {oldest === null ? '–' : formatAge(now - Date.parse(oldest))}
      </Figure>
      <Figure
        label="Nobody’s"
        foot={queue && (queue.unassigned === 0 ? 'each has somebody' : 'of them are to be taken')}
      >
        {queue?.unassigned.toLocaleString('en-US') ?? '–'}
      </Figure>
    </FigureStrip>
  );
}
