import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './list-page.module.css';

export type Check = { key: string; state: 'done' | 'waiting' | 'warning'; words: ReactNode };

const faces = {
  done: { Icon: IconCheck, word: 'Done' },
  waiting: { Icon: IconClock, word: 'Waiting' },
  warning: { Icon: IconAlertTriangle, word: 'Needs attention' },
} as const;

/** Facts with a tick, a clock or a warning; the icon has an accessible name. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={classes.checks}>
      {checks.map(({ key, state, words }) => {
        const { Icon, word } = faces[state];
        return (
          <li key={key} data-state={state}>
            <Icon size={16} stroke={1.8} role="img" aria-label={word} />
            <span>{words}</span>
          </li>
        );
      })}
    </ul>
  );
}
