import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import { coverageText } from '../../entities/income/coverage.tsx';
import { formatDateTime } from '../../ui/format/time.ts';
import classes from './steps.module.css';

export type Step = { title: string; value?: ReactNode; note?: ReactNode };

/** How a number came about, one step after another; the last is the number itself. */
export function Steps({ steps, foot }: { steps: readonly Step[]; foot: string }) {
  return (
    <>
      <ol className={classes.steps}>
        {steps.map(({ title, value, note }) => (
          <li key={title}>
            <span>{title}</span>
            <Box component="span" ta="right" style={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Box>
            {note && <small>{note}</small>}
          </li>
        ))}
      </ol>
      <p className={classes.foot}>{foot}</p>
    </>
  );
}

/** The last step of a week or month that is computed and not paid. */
export const heldStep = (amount: ReactNode): Step => ({
  title: 'Held',
  value: amount,
  note: 'not paid yet: the books are being checked. It is paid with this amount once they are found right',
});

/** When it was paid, and how much of it: the note of the last step. */
export const paidNote = ({ created_at: at, coverage }: { created_at: string; coverage: number | null }): string =>
  `market time ${formatDateTime(at)}${coverage === null ? '' : `, coverage ${coverageText(coverage)}`}`;
