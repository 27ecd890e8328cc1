import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import classes from './form.module.css';
import { useSecondFactor } from './use-second-factor.ts';
import { recoveryCodeRule } from './validation.ts';

/** Instead of a code of the app one of the ten that were shown when it was set up. Each counts once. */
export function RecoveryForm({ challenge }: { challenge: string }) {
  const secondFactor = useSecondFactor(challenge);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = recoveryCodeRule(code);
    setProblem(found);
    if (found !== null) return;
    secondFactor.send({ recovery_code: code.trim() }, (error) =>
      setProblem(error instanceof CallError ? (error.fields.recovery_code ?? error.message) : error.message),
    );
  };

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Recovery code"
        description="Four groups of four, with or without the hyphens. It works once."
        error={problem}
        errorProps={{ role: 'alert' }}
        autoFocus
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        readOnly={secondFactor.isPending}
        classNames={{ input: classes.code }}
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <BusyButton type="submit" size="lg" fullWidth busy={secondFactor.isPending} busyLabel="Verifying">
        Verify
      </BusyButton>
    </form>
  );
}
