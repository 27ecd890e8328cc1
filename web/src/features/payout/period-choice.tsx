import { TextInput } from '@mantine/core';
import { Segments } from '../../ui/forms/segments.tsx';
import classes from './payout.module.css';
import { daysBefore } from './payout-filter.ts';

const lengths = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'all', label: 'All' },
] as const;
type Length = (typeof lengths)[number]['value'];

type PeriodChoiceProps = {
  from: string | undefined;
  to: string | undefined;
  /** The market's day now: undefined until it is known. */
  today: string | undefined;
  mistake: string | undefined;
  onChange: (days: { from?: string | undefined; to?: string | undefined }) => void;
};

/** Market days from and to, both included, or one of the usual lengths up to today. */
export function PeriodChoice({ from, to, today, mistake, onChange }: PeriodChoiceProps) {
  return (
    <div className={classes.period}>
      <TextInput
        className={classes.day}
        type="date"
        label="From"
        max={today}
        value={from ?? ''}
        error={mistake !== undefined}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        className={classes.day}
        type="date"
        label="To"
        max={today}
        value={to ?? ''}
        error={mistake}
        errorProps={{ role: 'alert' }}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
      {today !== undefined && (
        <div className={classes.lengths}>
          <Segments
            label="Period"
            options={lengths}
            value={lengthOf(from, to, today)}
            onChange={(length) =>
              onChange({ from: length === 'all' ? undefined : daysBefore(today, Number(length) - 1), to: undefined })
            }
          />
        </div>
      )}
    </div>
  );
}

/** The length that is in force, so that the row shows it; none when the days were typed. */
function lengthOf(from: string | undefined, to: string | undefined, today: string): Length {
  if (from === undefined && to === undefined) return 'all';
  const found = lengths.find(
    ({ value }) => value !== 'all' && to === undefined && from === daysBefore(today, Number(value) - 1),
  );
  return (found?.value ?? '') as Length;
}
