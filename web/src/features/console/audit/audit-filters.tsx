import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { FilterMenu } from '../../../ui/table/filter-menu.tsx';
import classes from '../kit/filter-row.module.css';
import { actorOptions } from './filter.ts';

const fields = [
  { name: 'text', label: 'Words', type: 'search' },
  { name: 'action', label: 'Action', type: 'text' },
  { name: 'subject', label: 'About', type: 'text' },
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
] as const;

type AuditFiltersProps = { params: URLSearchParams; onChange: (params: Record<string, string>) => void };

/** What is searched for stands in the address, so that a search can be sent to a colleague. */
export function AuditFilters({ params, onChange }: AuditFiltersProps) {
  const [values, setValues] = useState(() =>
    Object.fromEntries(fields.map(({ name }) => [name, params.get(name) ?? ''])),
  );
  const actor = params.get('actor') ?? undefined;
  const send = (next: Record<string, string | undefined>) =>
    onChange(
      Object.fromEntries(
        Object.entries(next).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
      ),
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send({ ...values, actor });
  };
  return (
    <form className={classes.row} onSubmit={submit} aria-label="Filter" noValidate>
      {fields.map(({ name, label, type }) => (
        <TextInput
          key={name}
          className={classes.field ?? ''}
          size="sm"
          label={label}
          type={type}
          autoComplete="off"
          spellCheck={false}
          {...(name === 'action' && { placeholder: 'member.freeze' })}
          {...(name === 'subject' && { placeholder: 'member:17' })}
          value={values[name] ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setValues((before) => ({ ...before, [name]: value }));
          }}
        />
      ))}
      <Button type="submit" variant="default">
        Search
      </Button>
      <FilterMenu
        label="By"
        allLabel="By anybody"
        options={actorOptions}
        value={actorOptions.find(({ value }) => value === actor)?.value}
        onChange={(next) => send({ ...values, actor: next })}
      />
    </form>
  );
}
