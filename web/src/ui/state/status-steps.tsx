import { VisuallyHidden } from '@mantine/core';
import { t } from '../../api/texts.ts';
import classes from './status-steps.module.css';

export type StatusStep = {
  title: string;
  detail: string;
  /** A note that somebody left on it. */
  note?: string | undefined;
  /** done: passed; current: here now; stopped: ended here otherwise; ahead: still to come. */
  at: 'done' | 'current' | 'stopped' | 'ahead';
};

const spoken: Record<StatusStep['at'], string> = {
  done: t`done`,
  current: t`current step`,
  stopped: t`ended here`,
  ahead: t`not reached yet`,
};

type StatusStepsProps = {
  label: string;
  steps: readonly StatusStep[];
  /** Horizontal where there is room. */
  across?: boolean;
};

/** The steps of a payment, with the current one marked. */
export function StatusSteps({ label, steps, across = false }: StatusStepsProps) {
  return (
    <ol className={classes.steps} aria-label={label} data-across={across || undefined}>
      {steps.map(({ title, detail, note, at }, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added at the end
          key={index}
          data-at={at}
          aria-current={at === 'current' || at === 'stopped' ? 'step' : undefined}
        >
          <b>{title}</b>
          <VisuallyHidden>, {spoken[at]}</VisuallyHidden>
          <small>{detail}</small>
          {note && <p>{note}</p>}
        </li>
      ))}
    </ol>
  );
}
