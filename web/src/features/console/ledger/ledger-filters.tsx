import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import classes from '../kit/filter-row.module.css';
import { accountOptions, reasonOptions } from './labels.ts';

const texts = [
  { name: 'reference', label: 'Reference', type: 'text', placeholder: 'WD-7M2QX4' },
  { name: 'key', label: 'Key', type: 'text', placeholder: 'trade/17/' },
  { name: 'member_id', label: 'Member, by id', type: 'text', placeholder: '17' },
  { name: 'from', label: 'From day', type: 'date', placeholder: undefined },
  { name: 'to', label: 'To day', type: 'date', placeholder: undefined },
] as const;

type LedgerFiltersProps = { params: URLSearchParams; onChange: (params: Record<string, string>) => void };

/** What is searched for stands in the address, so that a search can be sent to a colleague. */
export function LedgerFilters({ params, onChange }: LedgerFiltersProps) {
  const [values, setValues] = useState<Record<string, string>>(() => Object.fromEntries(params));
  const set = (name: string, value: string) => setValues((before) => ({ ...before, [name]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(
      Object.fromEntries(
        Object.entries(values).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()]] : [])),
      ),
    );
  };
  return (
    <form className={classes.row} onSubmit={submit} aria-label="Filter" noValidate>
      <Select
        className={classes.field ?? ''}
        size="sm"
        label="Account"
        placeholder="All accounts"
        data={accountOptions}
        clearable
        searchable
        value={values.account ?? null}
        onChange={(account) => set('account', account ?? '')}
      />
      <Select
        className={classes.field ?? ''}
        size="sm"
        label="Reason"
        placeholder="All reasons"
        data={reasonOptions}
        clearable
        searchable
        value={values.reason ?? null}
        onChange={(reason) => set('reason', reason ?? '')}
      />
      {texts.map(({ name, label, type, placeholder }) => (
        <TextInput
          key={name}
          className={classes.field ?? ''}
          size="sm"
          label={label}
          type={type}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={values[name] ?? ''}
          onChange={(event) => set(name, event.currentTarget.value)}
        />
      ))}
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}
