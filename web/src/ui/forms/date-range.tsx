import { TextInput } from '@mantine/core';

type Days = { from?: string | undefined; to?: string | undefined };

type DateRangeProps = Days & {
  labels: readonly [from: string, to: string];
  max?: string | undefined;
  /** Why the period cannot be asked for. */
  mistake: string | undefined;
  onChange: (days: Days) => void;
};

const size = { base: '1 1 120px', sm: '0 1 168px' };

/** Days from and to, both included; undefined where one is cleared. */
export const DateRange = ({ labels, from, to, max, mistake, onChange }: DateRangeProps) => (
  <>
    <TextInput
      flex={size}
      type="date"
      label={labels[0]}
      max={max}
      value={from ?? ''}
      error={mistake !== undefined}
      onChange={(event) => onChange({ from: event.currentTarget.value || undefined })}
    />
    <TextInput
      flex={size}
      type="date"
      label={labels[1]}
      max={max}
      value={to ?? ''}
      error={mistake}
      errorProps={{ role: 'alert' }}
      onChange={(event) => onChange({ to: event.currentTarget.value || undefined })}
    />
  </>
);
