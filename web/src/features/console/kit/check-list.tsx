import { IconAlertTriangle, IconCheck, IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './check-list.module.css';

export type Check = { key: string; state: 'done' | 'waits' | 'look'; words: ReactNode };

const faces = {
  done: { Icon: IconCheck, word: 'Done' },
  waits: { Icon: IconClock, word: 'Waits' },
  look: { Icon: IconAlertTriangle, word: 'Look at this' },
} as const;

/** Facts with a tick, a clock or a warning; the sign is said in words, too. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className={classes.list}>
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
