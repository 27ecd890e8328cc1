import { formatDateTime } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { eventWords } from './plan-labels.ts';
import classes from './plan-page.module.css';
import type { PlanEvent } from './queries.ts';

/** What happened to the plan besides trading, the newest first. */
export function PlanEvents({ events }: { events: readonly PlanEvent[] }) {
  const newestFirst = events.toSorted((one, other) => other.at.localeCompare(one.at));
  return (
    <Panel title="History">
      <ol className={classes.events} aria-label="History">
        {newestFirst.map((event) => (
          <li key={`${event.at} ${event.kind}`}>
            <span>{eventWords(event)}</span>
            <small>{formatDateTime(event.at)}</small>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
