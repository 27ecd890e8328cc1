import { t } from '../../api/texts.ts';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/PinInput.layer.css';
import { Input, PinInput } from '@mantine/core';
import type { Ref } from 'react';
import { otpLength } from '#contract/rules.ts';
import classes from './code-entry.module.css';
import form from './dialog-form.module.css';

type CodeEntryProps = {
  /** Label above the cells: where the code is found. */
  label?: string | undefined;
  value: string;
  /** Called each time the digits change, except when only the last one was completed again. */
  onChange: (value: string) => void;
  /** The error about the code, in the server's words. */
  problem: string | undefined;
  /** While the code is being verified, it cannot be changed. */
  readOnly: boolean;
  /** No code can be entered. */
  disabled?: boolean;
  /** The first cell, for the focus after a wrong code. */
  firstCell?: Ref<HTMLInputElement>;
  /** False where the code is not the purpose of the page. */
  autoFocus?: boolean;
  /** The first field of its dialog, which sets the focus itself. */
  isFirst?: boolean;
};

/** Six cells for a one-time password; a pasted code fills all of them. */
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
        // Not onComplete: it does not fire for the second code after a wrong one.
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
