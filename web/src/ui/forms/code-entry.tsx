import { t } from '../../api/texts.ts';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/PinInput.layer.css';
import { Input, PinInput } from '@mantine/core';
import type { Ref } from 'react';
import { otpLength } from '#contract/rules.ts';
import classes from './code-entry.module.css';
import form from './dialog-form.module.css';

type CodeEntryProps = {
  /** Above the cells: where the code is found. */
  label?: string | undefined;
  value: string;
  /** Each time the digits change; not called when only the last one was completed again. */
  onChange: (value: string) => void;
  /** What is wrong with the code, in the server's words. */
  problem: string | undefined;
  /** While the code is being looked at, nothing is typed over it. */
  readOnly: boolean;
  /** There is no code to be typed. */
  disabled?: boolean;
  /** The first cell, for the focus after a wrong code. */
  firstCell?: Ref<HTMLInputElement>;
  /** Off where it is not what somebody came for. */
  autoFocus?: boolean;
  /** Nothing is asked for before it in its dialog, which sets the focus there itself. */
  isFirst?: boolean;
};

/** Six cells for a one-time password; a pasted one is taken whole. */
export function CodeEntry(props: CodeEntryProps) {
  const {
    label,
    value,
    onChange,
    problem,
    readOnly,
    disabled = false,
    firstCell,
    autoFocus = true,
    isFirst = false,
  } = props;
  return (
    <div>
      {label !== undefined && (
        <div className={form.label} aria-hidden="true">
          {label}
        </div>
      )}
      <PinInput
        ref={firstCell}
        type="number"
        inputType="text"
        autoFocus={autoFocus && !isFirst}
        aria-label={t`${otpLength}-digit code`}
        classNames={{ root: classes.cells, pinInput: classes.cell, input: classes.input }}
        value={value}
        error={problem !== undefined}
        readOnly={readOnly}
        disabled={disabled}
        getInputProps={(index) => ({
          'aria-label': t`Digit ${index + 1} of ${otpLength}`,
          ...(isFirst && index === 0 && { 'data-autofocus': true }),
        })}
        // Not onComplete: it stays silent for the second code after one that was wrong.
        onChange={onChange}
      />
      {problem !== undefined && (
        <Input.Error className={classes.problem ?? ''} role="alert">
          {problem}
        </Input.Error>
      )}
    </div>
  );
}
