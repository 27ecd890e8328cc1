import { Group } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode, Ref } from 'react';
import { t } from '../../api/texts.ts';
import classes from './step-title.module.css';

type StepTitleProps = {
  number: number;
  /** Ahead while undefined. */
  at?: 'done' | 'current' | undefined;
  children: ReactNode;
  /** Given where the page moves the focus to the step. */
  ref?: Ref<HTMLDivElement>;
};

/** The title of one of several steps, with its number; a tick when done. */
export const StepTitle = ({ number, at, children, ref }: StepTitleProps) => (
  <Group component="span" gap={10} wrap="nowrap" style={{ outline: 0 }} {...(ref ? { ref, tabIndex: -1 } : {})}>
    <span className={classes.number} data-at={at}>
      {at === 'done' ? <IconCheck size={14} stroke={1.5} aria-label={t`Done`} /> : number}
    </span>
    {children}
  </Group>
);
