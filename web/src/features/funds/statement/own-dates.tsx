import { TextInput } from '@mantine/core';
import classes from './statement.module.css';
import type { FilterChoice } from './statement-filters.ts';

type OwnDatesProps = Pick<FilterChoice, 'firstDay' | 'lastDay'> & {
  mistake: string | undefined;
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void;
};

/** UTC days from and to, both included. */
export function OwnDates({ firstDay, lastDay, mistake, onChange }: OwnDatesProps) {
  return (
    <div className={classes.dates}>
      <TextInput
        type="date"
        label="From, UTC"
        value={firstDay ?? ''}
        error={mistake !== undefined}
        onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label="To, UTC"
        value={lastDay ?? ''}
        error={mistake}
        errorProps={{ role: 'alert' }}
        onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
      />
    </div>
  );
}
