import { VisuallyHidden } from '@mantine/core';
import classes from './deposit-flow.module.css';
import type { DepositStep } from './deposit-steps.ts';

const spoken: Record<DepositStep['at'], string> = {
  done: 'done',
  current: 'it stands here',
  stopped: 'it ended here',
  ahead: 'still to come',
};

/** Created, payment seen, credited: the way of a deposit, with where it stands. */
export function DepositFlow({ steps }: { steps: readonly DepositStep[] }) {
  return (
    <ol className={classes.flow} aria-label="Steps of this deposit">
      {steps.map((step) => (
        <li
          key={step.title}
          data-at={step.at}
          aria-current={step.at === 'current' || step.at === 'stopped' ? 'step' : undefined}
        >
          <b>{step.title}</b>
          <VisuallyHidden>, {spoken[step.at]}</VisuallyHidden>
          <p>{step.detail}</p>
        </li>
      ))}
    </ol>
  );
}
