// The styles that no other signed-out page needs.
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { type ComboboxItem, type OptionsFilter, Select } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { type Country, listCountries, matchesCountry } from './countries.ts';
import classes from './dial-code-select.module.css';

type DialCodeSelectProps = {
  error?: ReactNode;
  /** The dial code of a number that is there already, `+91`: an own choice, for nothing says which of its countries. */
  known?: string;
  /** Hears the dial code itself, `+91`; empty when the choice is taken back. */
  onChange: (dialCode: string) => void;
};

/** All countries with dial codes, to be searched by name, code or dial code. The field shows `IN +91`. */
export function DialCodeSelect({ error, known, onChange }: DialCodeSelectProps) {
  // Countries share dial codes, so the choice is a country and only its dial code leaves this field.
  const [code, setCode] = useState<string | null>(known ?? null);
  const countries = useMemo(() => new Map(listCountries().map((country) => [country.code, country])), []);
  const options = useMemo(
    () => [
      ...(known === undefined ? [] : [{ value: known, label: known }]),
      ...[...countries.values()].map(({ code, dial_code }) => ({ value: code, label: `${code} ${dial_code}` })),
    ],
    [countries, known],
  );
  return (
    <Select
      label="Dial code"
      placeholder="Choose"
      searchable
      selectFirstOptionOnChange
      autoComplete="tel-country-code"
      nothingFoundMessage="No such country"
      maxDropdownHeight={264}
      // More than 200 countries are in the page only while they are chosen from.
      comboboxProps={{ width: 280, position: 'bottom-start', withinPortal: true, keepMounted: false }}
      rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden />}
      rightSectionWidth={36}
      withCheckIcon={false}
      data={options}
      filter={filterBy(countries)}
      renderOption={({ option }) => {
        const country = countries.get(option.value);
        return (
          <span className={classes.country}>
            <span>{country?.name ?? 'As it is'}</span>
            <span>{country?.dial_code ?? option.value}</span>
          </span>
        );
      }}
      error={error}
      value={code}
      onChange={(chosen) => {
        setCode(chosen);
        onChange(chosen === null ? '' : (countries.get(chosen)?.dial_code ?? chosen));
      }}
    />
  );
}

const filterBy =
  (countries: ReadonlyMap<string, Country>): OptionsFilter =>
  ({ options, search }) =>
    (options as ComboboxItem[]).filter((option) => {
      const country = countries.get(option.value);
      return country !== undefined && matchesCountry(country, search);
    });
