import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../shared/call.ts';
import { toast } from '../../shared/toast.ts';
import { BusyButton } from '../../shared/ui/busy-button.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { checkPasswords } from './check-passwords.ts';
import classes from './profile-page.module.css';
import { useChangePassword } from './queries.ts';

const Eye = ({ reveal }: { reveal: boolean }) =>
  reveal ? <IconEyeOff size={20} stroke={1.5} aria-hidden /> : <IconEye size={20} stroke={1.5} aria-hidden />;

const toggle = (what: string) => ({ 'aria-label': `Show or hide the ${what}`, tabIndex: 0 });

/** A new password; what the server says about one of the two stands at its field. */
export function PasswordPanel({ referralCode }: { referralCode: string }) {
  const change = useChangePassword();
  const form = useForm({ initialValues: { current_password: '', password: '' }, validate: checkPasswords });

  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => {
        form.reset();
        toast.success('Password changed', 'All other devices were signed out.');
      },
      onError: (error) => {
        if (error instanceof CallError) form.setErrors(error.fields);
      },
    }),
  );

  return (
    <Panel title="Password">
      <form className={classes.form} onSubmit={submit} noValidate>
        {/* Password managers store the new password under the name they find here. */}
        <input type="text" autoComplete="username" value={referralCode} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          visibilityToggleIcon={Eye}
          visibilityToggleButtonProps={toggle('current password')}
          errorProps={{ role: 'alert' }}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description={`At least ${passwordMinLength} characters. All other devices are signed out.`}
          autoComplete="new-password"
          visibilityToggleIcon={Eye}
          visibilityToggleButtonProps={toggle('new password')}
          errorProps={{ role: 'alert' }}
          {...form.getInputProps('password')}
        />
        <div className={classes.buttons}>
          <BusyButton type="submit" busy={change.isPending} busyLabel="Changing">
            Change password
          </BusyButton>
        </div>
      </form>
    </Panel>
  );
}
