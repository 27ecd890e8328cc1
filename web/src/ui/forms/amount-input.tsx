import { Text, TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../../api/texts.ts';
import classes from './amount-input.module.css';

/** The single amount of a page, in large figures. Its text is parsed by `readAmount` (read-amount.ts). */
export const AmountInput = (props: TextInputProps) => (
  <TextInput
    label={t`Amount in USDT`}
    errorProps={{ role: 'alert' }}
    inputMode="decimal"
    autoComplete="off"
    leftSection={
      <Text span fz="1.5rem" fw={500} c="dimmed">
        $
      </Text>
    }
    classNames={{ wrapper: classes.wrapper, input: classes.input }}
    {...props}
  />
);
