import { ActionIcon, Group, Popover, Skeleton, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { t } from '../../api/texts.ts';
import { parseDay } from '../format/period.ts';
import { formatDate } from '../format/time.ts';

const Calendar = lazy(async () => ({ default: (await import('./calendar.tsx')).Calendar }));

type DateFieldProps = Omit<TextInputProps, 'value' | 'onChange' | 'max'> & {
  label: string;
  /** `2026-11-03`; undefined while empty. */
  value: string | undefined;
  /** The last selectable day. */
  max?: string | undefined;
  onChange: (day: string | undefined) => void;
};

/** A day, typed as `3 Nov 2026` or `2026-11-03`, or picked in a calendar that is loaded when opened. */
export function DateField({ label, value, max, error, onChange, ...field }: DateFieldProps) {
  // Text that is not a valid day yet.
  const [draft, setDraft] = useState<string>();
  const [parseError, setParseError] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const forget = () => {
    setDraft(undefined);
    setParseError(undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day, from wherever, replaces what was typed
  useEffect(forget, [value]);

  const errorOf = (text: string) => {
    const day = parseDay(text);
    if (day === undefined) return t`Enter a date such as 3 Nov 2026.`;
    return max !== undefined && day > max ? t`Enter a date up to ${formatDate(max)}.` : undefined;
  };
  const type = (text: string) => {
    setDraft(text);
    setParseError(undefined);
    if (text.trim() === '') onChange(undefined);
    else if (errorOf(text) === undefined) onChange(parseDay(text));
  };
  const leave = () => {
    const found = draft === undefined || draft.trim() === '' ? undefined : errorOf(draft);
    if (found === undefined) forget();
    else setParseError(found);
    return found === undefined;
  };

  return (
    <TextInput
      {...field}
      label={label}
      placeholder={t`d mmm yyyy`}
      autoComplete="off"
      value={draft ?? (value === undefined ? '' : formatDate(value))}
      error={parseError ?? error}
      errorProps={{ role: 'alert' }}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        // Enter submits the form, which must not use the day that was here before.
        if (event.key === 'Enter' && !leave()) event.preventDefault();
      }}
      rightSectionWidth={44}
      rightSection={
        <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal>
          <Popover.Target>
            <ActionIcon aria-label={t`Open calendar: ${label}`} onClick={() => setOpen(!isOpen)}>
              <IconCalendar size={18} stroke={1.5} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown aria-label={label}>
            <Suspense fallback={<Skeleton w={294} h={310} />}>
              <Calendar
                value={value}
                max={max}
                onChoose={(day) => {
                  onChange(day);
                  forget();
                  setOpen(false);
                }}
              />
            </Suspense>
          </Popover.Dropdown>
        </Popover>
      }
    />
  );
}

type Days = { from?: string | undefined; to?: string | undefined };

type DateRangeProps = Days & {
  labels: readonly [from: string, to: string];
  max?: string | undefined;
  /** Why the period is invalid. */
  error: string | undefined;
  onChange: (days: Days) => void;
  /** Another way to choose, beside the fields. */
  children?: ReactNode;
};

const size = { base: '1 1 140px', sm: '0 1 176px' };

/** Above a list: a range of days, both included; undefined where one is cleared. */
export const DateRange = ({ labels, from, to, max, error, onChange, children }: DateRangeProps) => (
  <Group
    align="flex-start"
    gap="sm"
    px={{ base: 'md', sm: 20 }}
    py={{ base: 'sm', sm: 'md' }}
    style={{ borderBottom: '1px solid var(--tw-line)' }}
  >
    <DateField
      flex={size}
      label={labels[0]}
      max={max}
      value={from}
      error={error !== undefined}
      onChange={(day) => onChange({ from: day })}
    />
    <DateField
      flex={size}
      label={labels[1]}
      max={max}
      value={to}
      error={error}
      onChange={(day) => onChange({ to: day })}
    />
    {children}
  </Group>
);
