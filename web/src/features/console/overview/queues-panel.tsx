import { Link } from 'react-router';
import type { Overview } from '#contract/operator/overview.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { formatMoney } from '../../../ui/format/money.ts';
import { Panel } from '../../../ui/panel.tsx';
import textLink from '../../../ui/text-link.module.css';
import { formatAge } from '../kit/age.ts';
import { useSlowNow } from '../kit/use-slow-now.ts';
import { consolePages, consolePath } from '../pages.ts';
import classes from './overview.module.css';
import { linesOf } from './queue-lines.ts';

/** Everything that waits for somebody, and the way to it. */
export function QueuesPanel({ queues }: { queues: Overview['queues'] }) {
  const operator = useOperator();
  const now = useSlowNow();
  const hasPage = (path: string | undefined) =>
    consolePages.some((page) => page.path === path && operator && page.roles.includes(operator.role));
  return (
    <Panel title="What waits" rule padded={false}>
      <ul className={classes.list}>
        {linesOf(queues).map(({ key, label, count, amount, oldestAt, note, page, search = '' }) => (
          <li key={key}>
            <span className={classes.name}>
              {page !== undefined && hasPage(page) ? (
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
