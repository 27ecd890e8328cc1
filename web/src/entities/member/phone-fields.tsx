import { TextInput, type TextInputProps } from '@mantine/core';
import { type ClipboardEvent, type ReactNode, useState } from 'react';
import { mobileMaxLength } from '#contract/rules.ts';
import { t } from '../../api/texts.ts';
import { listCountries } from './countries.ts';
import { DialCodeSelect, dialCodeOf } from './dial-code-select.tsx';
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
