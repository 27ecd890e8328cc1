import { Group, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

type Days = { from?: string | undefined; to?: string | undefined };

type DateRangeProps = Days & {
  labels: readonly [from: string, to: string];
  max?: string | undefined;
  /** Why the period cannot be asked for. */
  mistake: string | undefined;
  onChange: (days: Days) => void;
  /** Another way to choose, beside the fields. */
  children?: ReactNode;
};

const size = { base: '1 1 120px', sm: '0 1 168px' };

/** Above a list: days from and to, both included; undefined where one is cleared. */
export const DateRange = ({ labels, from, to, max, mistake, onChange, children }: DateRangeProps) => (
  <Group
    align="flex-start"
    gap="sm"
    px={{ base: 'md', sm: 20 }}
    py={{ base: 'sm', sm: 'md' }}
    style={{ borderBottom: '1px solid var(--tw-line)' }}
  >
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
    {children}
  </Group>
);
