// The styles of the list of dial codes, which no other signed-out page needs.
import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import {
  type ComboboxItem,
  Group,
  type OptionsFilter,
  Select,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ClipboardEvent, type ReactNode, useMemo, useState } from 'react';
import { mobileMaxLength } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { selectHighlighted } from '../../ui/forms/select-highlighted.ts';
import { type Country, findCountries, listCountries } from './countries.ts';
import classes from './phone-fields.module.css';

type PhoneFieldsProps = {
  dialCodeError?: ReactNode;
  /** Of a stored number. */
  knownDialCode?: string;
  onDialCode: (dialCode: string) => void;
  /** The form's error for the ten digits. */
  mobile: TextInputProps;
  onMobile: (mobile: string) => void;
};

/** A mobile number: its dial code, selected by country, and its ten digits. */
export function PhoneFields({ dialCodeError, knownDialCode, onDialCode, mobile, onMobile }: PhoneFieldsProps) {
  // Countries share dial codes, so the selection is a country; only its dial code is reported.
  const [country, setCountry] = useState<string | null>(knownDialCode ?? null);
  const choose = (code: string | null) => {
    setCountry(code);
    onDialCode(code === null ? '' : dialCodeOf(code));
  };
  /** A pasted number is parsed before the field's ten characters truncate it. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    const pasted = value.slice(0, start) + event.clipboardData.getData('text') + value.slice(end);
    const { dialCode, mobile } = readMobile(pasted);
    event.preventDefault();
    onMobile(mobile);
    if (dialCode !== undefined && (country === null || dialCodeOf(country) !== dialCode)) choose(dialCode);
  };
  return (
    <div className={classes.phone}>
      <DialCodeSelect error={dialCodeError} value={country} onChange={choose} />
      <TextInput
        label={t`Mobile`}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        maxLength={mobileMaxLength}
        {...mobile}
        onPaste={paste}
        onChange={(event) => onMobile(event.currentTarget.value.replace(/\D/g, ''))}
      />
    </div>
  );
}

/**
 * A phone number as people write it: `98765 43210`, `098765 43210`, `+91 98765-43210`, `0091 9876543210`. The prefix
 * before the ten digits is a trunk 0 or a dial code, which is returned if it was written as one. Anything else is
 * truncated to ten digits, as when typed.
 */
export function readMobile(text: string): { dialCode?: string; mobile: string } {
  const digits = text.replace(/\D/g, '');
  const mobile = digits.slice(-mobileMaxLength);
  const before = digits.slice(0, -mobileMaxLength).replace(/^0+/, '');
  if (before === '') return { mobile };
  if (!listCountries().some(({ dial_code }) => dial_code === `+${before}`)) {
    return { mobile: digits.slice(0, mobileMaxLength) };
  }
  return { dialCode: `+${before}`, mobile };
}

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
