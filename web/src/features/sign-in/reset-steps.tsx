import { IconCheck } from '@tabler/icons-react';
import classes from './reset-steps.module.css';

type StepsProps = { current: 1 | 2 | 3 };

const steps = [
  ['Give your Registered Id', 'Registered Id given'],
  ['Enter the code from the mail', 'Code entered'],
  ['Choose a new password; all devices are signed out', ''],
] as const;

/** Where in the reset of a password the member is. */
export function ResetSteps({ current }: StepsProps) {
  return (
    <ol className={classes.steps}>
      {steps.map(([ahead, done], index) => {
        const state = index + 1 < current ? 'done' : index + 1 === current ? 'current' : 'ahead';
        return (
          <li key={ahead} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
            <i aria-hidden="true">{state === 'done' ? <IconCheck size={14} stroke={1.5} /> : index + 1}</i>
            {state === 'done' ? done : ahead}
          </li>
        );
      })}
    </ol>
  );
}
