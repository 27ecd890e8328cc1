import { NavLink } from 'react-router';
import type { OperatorRole } from '#contract/endpoint.ts';
import { ThemeSwitch } from '../../../ui/frame/theme-switch.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { type ConsolePage, consolePages } from '../pages.ts';
import classes from './console-menu.module.css';
import { useQueueCounts } from './queue-counts.ts';
import { SolvencyLine } from './solvency-line.tsx';

/** The pages of a role by group, with what waits in their queues; the same in the sidebar and in the drawer. */
export function ConsoleMenu({ role }: { role: OperatorRole }) {
  const counts = useQueueCounts();
  const pages = consolePages.filter((page) => !page.isHidden && page.roles.includes(role));
  const groups = [...new Set(pages.map((page) => page.group))];
  return (
    <>
      <nav className={classes.nav} aria-label="Operator">
        {groups.map((group) => (
          <div key={group ?? 'first'}>
            {group && <div className={classes.group}>{group}</div>}
            <ul aria-label={group}>
              {pages
                .filter((page) => page.group === group)
                .map((page) => (
                  <Entry key={page.path} page={page} count={page.queue && counts[page.queue]} />
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className={classes.foot}>
        <SolvencyLine role={role} />
        <ThemeSwitch />
      </div>
    </>
  );
}

function Entry({ page, count }: { page: ConsolePage; count: number | undefined }) {
  const { icon: EntryIcon, label, path } = page;
  return (
    <li>
      <NavLink to={consolePath(path)} className={classes.entry ?? ''}>
        <EntryIcon size={20} stroke={1.5} aria-hidden />
        <span className={classes.label}>{label}</span>
        {count !== undefined && count > 0 && <span className={classes.count}>{count.toLocaleString('en-US')}</span>}
      </NavLink>
    </li>
  );
}
