import { t } from '../../api/texts.ts';
// The styles that no other signed-out page needs.
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { type ComboboxItem, Group, type OptionsFilter, Select, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { selectHighlighted } from '../../ui/forms/select-highlighted.ts';
import { type Country, findCountries, listCountries } from './countries.ts';

type DialCodeSelectProps = {
  error?: ReactNode;
  /** A country, `IN`; or the dial code of a stored number, `+91`, whose country is unknown. */
  value: string | null;
  onChange: (value: string | null) => void;
};

let byCode: ReadonlyMap<string, Country> | undefined;
/** Created on first use: the names of more than 200 countries take a while. */
function countriesByCode(): ReadonlyMap<string, Country> {
  byCode ??= new Map(listCountries().map((country) => [country.code, country]));
  return byCode;
}

/** The dial code of the selection: `+91` for `IN`, and for `+91` itself. */
export const dialCodeOf = (value: string): string => countriesByCode().get(value)?.dial_code ?? value;

/** A searchable list of all countries with dial codes, by name, code or dial code. The field shows `IN +91`. */
export function DialCodeSelect({ error, value, onChange }: DialCodeSelectProps) {
  const countries = countriesByCode();
  const own = value !== null && !countries.has(value) ? value : undefined;
  const options = useMemo(
    () => [
      ...(own === undefined ? [] : [{ value: own, label: own }]),
      ...[...countriesByCode().values()].map(({ code, dial_code }) => ({ value: code, label: `${code} ${dial_code}` })),
    ],
    [own],
  );
  return (
    <Select
      label={t`Dial code`}
      placeholder={t`Choose`}
      searchable
      selectFirstOptionOnChange
      onKeyDown={selectHighlighted}
      // The country that is chosen already stays chosen when it is chosen again.
      allowDeselect={false}
      // A form that was refused focuses its first error, and an open list would cover the others.
      openOnFocus={false}
      autoComplete="tel-country-code"
      nothingFoundMessage={t`No country found`}
      maxDropdownHeight={264}
      // The more than 200 options are rendered only while the list is open.
      comboboxProps={{ width: 280, position: 'bottom-start', withinPortal: true, keepMounted: false }}
      rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden />}
      rightSectionWidth={36}
      withCheckIcon={false}
      data={options}
      filter={filterBy(countries)}
      renderOption={({ option }) => {
        const country = countries.get(option.value);
        return (
          <Group component="span" justify="space-between" gap={12} w="100%" wrap="nowrap">
            <span>{country?.name ?? t`Current dial code`}</span>
            <Text span inherit c="dimmed">
              {country?.dial_code ?? option.value}
            </Text>
          </Group>
        );
      }}
      error={error}
      value={value}
      onChange={onChange}
    />
  );
}

const filterBy =
  (countries: ReadonlyMap<string, Country>): OptionsFilter =>
  ({ options, search }) => {
    const byValue = new Map((options as ComboboxItem[]).map((option) => [option.value, option]));
    return findCountries([...countries.values()], search).flatMap(({ code }) => byValue.get(code) ?? []);
  };
