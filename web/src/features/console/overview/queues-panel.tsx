import { Link } from 'react-router';
import type { Overview } from '#contract/operator/overview.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { consolePath } from '../../../ui/paths.ts';
import textLink from '../../../ui/text/text-link.module.css';
import { formatAge } from '../kit/age.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { everyRole } from '../roles.ts';
import classes from './overview.module.css';
import { linesOf } from './queue-lines.ts';

/** Everything that waits for somebody, and the way to it. */
export function QueuesPanel({ queues }: { queues: Overview['queues'] }) {
  const operator = useOperator();
  const now = useSlowNow();
  return (
    <Panel title="What waits" rule padded={false}>
      <ul className={classes.list}>
        {linesOf(queues).map(({ key, label, count, amount, oldestAt, note, page, roles = everyRole, search = '' }) => (
          <li key={key}>
            <span className={classes.name}>
              {page !== undefined && operator && roles.includes(operator.role) ? (
                <Link className={textLink.link} to={{ pathname: consolePath(page), search }}>
                  {label}
                </Link>
              ) : (
                label
              )}
              {note && <small>{note}</small>}
            </span>
            <span className={classes.value}>
              {amount !== undefined && count > 0 && formatMoney(amount, 2)}
              {oldestAt && <small>oldest {formatAge(now - Date.parse(oldestAt))}</small>}
            </span>
            <span className={classes.count} data-none={count === 0 || undefined}>
              {count.toLocaleString('en-US')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
