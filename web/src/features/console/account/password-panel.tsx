import { type FormEvent, useRef, useState } from 'react';
import { otpLength, passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../../api/call.ts';
import { checkPasswords, type Passwords } from '../../../entities/member/check-passwords.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeEntry } from '../../../ui/forms/code-entry.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { Panel } from '../../../ui/frame/panel.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import classes from './account.module.css';
import { useChangePassword } from './queries.ts';

type Values = Passwords & { otp: string };
const nothing: Values = { current_password: '', password: '', otp: '' };

/** A new password takes the old one and a code; what the server says about one of them stands at its field. */
export function PasswordPanel({ email }: { email: string }) {
  const change = useChangePassword();
  const current = useRef<HTMLInputElement>(null);
  const chosen = useRef<HTMLInputElement>(null);
  const firstCell = useRef<HTMLInputElement>(null);
  const [values, setValues] = useState(nothing);
  const [faults, setFaults] = useState<Partial<Values>>({});

  const set = (field: keyof Values, value: string) => {
    setValues((before) => ({ ...before, [field]: value }));
    setFaults(({ [field]: _, ...others }) => others);
  };
  const show = (found: Partial<Values>) => {
    setFaults(found);
    if (found.current_password !== undefined) current.current?.focus();
    else if (found.password !== undefined) chosen.current?.focus();
    else if (found.otp !== undefined) firstCell.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (change.isPending) return;
    const missing: Partial<Values> = checkPasswords(values);
    if (values.otp.length !== otpLength) missing.otp = `The code has ${otpLength} digits.`;
    if (Object.keys(missing).length > 0) return show(missing);
    change.mutate(values, {
      onSuccess: () => {
        setValues(nothing);
        toast.success('Password changed', 'All other devices were signed out.');
      },
      onError: (error) => {
        // A code is good once, whatever it was refused for.
        setValues((before) => ({ ...before, otp: '' }));
        if (error instanceof CallError) show(error.fields);
      },
    });
  };

  return (
    <Panel title="Password">
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* Password managers store the new password under the name they find here. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          ref={current}
          label="Current password"
          autoComplete="current-password"
          value={values.current_password}
          error={faults.current_password}
          onChange={(event) => set('current_password', event.currentTarget.value)}
        />
        <PasswordField
          ref={chosen}
          label="New password"
          description={`At least ${passwordMinLength} characters. All other devices are signed out.`}
          autoComplete="new-password"
          value={values.password}
          error={faults.password}
          onChange={(event) => set('password', event.currentTarget.value)}
        />
        <CodeEntry
          label="Code of your authenticator app"
          firstCell={firstCell}
          value={values.otp}
          problem={faults.otp}
          readOnly={change.isPending}
          autoFocus={false}
          onChange={(otp) => set('otp', otp)}
        />
        <div>
          <BusyButton type="submit" busy={change.isPending} busyLabel="Changing">
            Change password
          </BusyButton>
        </div>
      </form>
    </Panel>
  );
}
