import type { WithdrawalDetail } from '#contract/funds/withdrawals.ts';
import { formatDateTime } from '../../ui/format/time.ts';
import { stepWords } from './withdrawal-labels.ts';
import classes from './withdrawal-panel.module.css';

type WithdrawalStepsProps = {
  steps: WithdrawalDetail['steps'];
  isOpen: boolean;
  /** The note that stands above already, so that nothing is said twice. */
  said: string | null;
};

/** What happened to a withdrawal and when, oldest first, with the reasons that were given. */
export function WithdrawalSteps({ steps, isOpen, said }: WithdrawalStepsProps) {
  return (
    <ol className={classes.steps} aria-label="Steps of this withdrawal">
      {steps.map(({ state, note, at }, index) => {
        const isLast = index === steps.length - 1;
        return (
          <li
            key={`${state}${at}`}
            data-at={isLast && isOpen ? 'current' : isLast && state !== 'completed' ? 'stopped' : 'done'}
            aria-current={isLast ? 'step' : undefined}
          >
            <b>{stepWords[state]}</b>
            <small>{formatDateTime(at)}</small>
            {note !== null && note !== said && <p>{note}</p>}
          </li>
        );
      })}
    </ol>
  );
}
