import { Button, Group, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readDay } from '../../../ui/format/period.ts';
import { DateField } from '../../../ui/forms/date-field.tsx';
import { selectHighlighted } from '../../../ui/forms/select-highlighted.ts';
import classes from './filter-form.module.css';

export type FilterField = {
  /** Its name in the address. */
  name: string;
  label: string;
  type?: 'text' | 'search' | 'date';
  placeholder?: string;
  /** The options; the placeholder means none of them. */
  options?: readonly { value: string; label: string }[];
};

type FilterFormProps = {
  fields: readonly FilterField[];
  params: URLSearchParams;
  onChange: (params: Record<string, string>) => void;
};

/** The filter is in the address, so that a search can be shared. The days of a period stay side by side, after the rest. */
export function FilterForm({ fields, params, onChange }: FilterFormProps) {
  const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(params));
  const address = params.toString();
  const [followed, setFollowed] = useState(address);
  // Mounted anew instead, it would lose the focus to the page.
  if (followed !== address) {
    setFollowed(address);
    setValues(Object.fromEntries(params));
  }
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const days = fields.filter(({ type }) => type === 'date');
  const texts = fields.filter(({ type }) => type !== 'date');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = fields.map(({ name }) => [name, values[name]?.trim() ?? ''] as const);
    onChange(Object.fromEntries(typed.filter(([, value]) => value !== '')));
  };
  return (
    <Group
      className={classes.row}
      renderRoot={(props) => <form {...props} onSubmit={submit} noValidate />}
      aria-label="Filter"
      flex="none"
      align="flex-end"
      gap="8px 12px"
    >
      {texts.map(({ name, label, type = 'text', placeholder, options }) => {
        const shared = { className: classes.field ?? '', size: 'sm', label, placeholder } as const;
        return options ? (
          <Select
            key={name}
            {...shared}
            data={options}
            clearable
            searchable
            selectFirstOptionOnChange
            onKeyDown={selectHighlighted}
            value={values[name] ?? null}
            onChange={(value) => set(name, value ?? '')}
          />
        ) : (
          <TextInput
            key={name}
            {...shared}
            type={type}
            autoComplete="off"
            spellCheck={false}
            value={values[name] ?? ''}
            onChange={(event) => set(name, event.currentTarget.value)}
          />
        );
      })}
      <Group className={classes.period ?? ''} gap={12} wrap="nowrap">
        {days.map(({ name, label }) => (
          <DateField
            key={name}
            className={classes.field ?? ''}
            size="sm"
            label={label}
            value={readDay(values[name] ?? null)}
            onChange={(day) => set(name, day ?? '')}
          />
        ))}
      </Group>
      <Button type="submit" variant="default">
        Search
      </Button>
    </Group>
  );
}

const DAY_MS = 86_400_000;

/**
 * The period in the address, in whole UTC days, the last one included:
 * `?from=2026-03-04&to=2026-03-04` is from 4 March 00:00 to before 5 March 00:00. Invalid values are ignored.
 */
export function periodOf(params: URLSearchParams): { from?: string; to?: string } {
  const [from, to] = [readDay(params.get('from')), readDay(params.get('to'))];
  return {
    ...(from !== undefined && { from: new Date(from).toISOString() }),
    ...(to !== undefined && { to: new Date(Date.parse(to) + DAY_MS).toISOString() }),
  };
}
