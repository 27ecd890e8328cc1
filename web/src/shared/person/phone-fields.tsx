import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { mobileMaxLength } from '#contract/rules.ts';
import { DialCodeSelect } from './dial-code-select.tsx';
import classes from './phone-fields.module.css';

type PhoneFieldsProps = {
  dialCodeError?: ReactNode;
  /** Of a number that is there already. */
  knownDialCode?: string;
  onDialCode: (dialCode: string) => void;
  /** What the form says of the field of the ten digits. */
  mobile: TextInputProps;
  onMobile: (mobile: string) => void;
};

/** A mobile number: its dial code, chosen by country, and its ten digits. */
export function PhoneFields({ dialCodeError, knownDialCode, onDialCode, mobile, onMobile }: PhoneFieldsProps) {
  return (
    <div className={classes.phone}>
      <DialCodeSelect
        error={dialCodeError}
        onChange={onDialCode}
        {...(knownDialCode === undefined ? {} : { known: knownDialCode })}
      />
      <TextInput
        label="Mobile"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        maxLength={mobileMaxLength}
        {...mobile}
        onChange={(event) => onMobile(event.currentTarget.value.replace(/\D/g, ''))}
      />
    </div>
  );
}
