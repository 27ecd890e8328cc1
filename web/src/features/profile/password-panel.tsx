import { Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { checkPasswords, type Passwords } from '../../entities/member/check-passwords.ts';
import { SecondFactorField, useSecondFactor } from '../../entities/member/second-factor-field.tsx';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { useChangePassword } from './queries.ts';

export function PasswordPanel({ referralCode }: { referralCode: string }) {
  const change = useChangePassword();
  const factor = useSecondFactor();
  const form = useForm({ initialValues: { current_password: '', password: '' }, validate: checkPasswords });

  const show = (faults: Partial<Passwords>) => {
    form.setErrors(faults);
    if (Object.keys(faults).length === 0) return;
    const first = faults.current_password === undefined ? 'password' : 'current_password';
    form.getInputNode(first)?.focus();
  };

  const submit = form.onSubmit((values) => {
    if (!factor.check()) return;
    const body = { ...values, ...factor.body() };
    change.mutate(body, {
      onSuccess: () => {
        form.reset();
        factor.reset();
        toast.success(t`Password changed`, t`All other devices were signed out.`);
      },
      onError: (error) => {
        if (!(error instanceof CallError)) return;
        const { current_password, password } = error.fields;
        show({ ...(current_password && { current_password }), ...(password && { password }) });
        factor.fail(error);
      },
    });
  }, show);

  return (
    <Panel title={t`Password`}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {/* Password managers store the new password under the name they find here. */}
          <input type="text" autoComplete="username" value={referralCode} readOnly hidden />
          <PasswordField
            label={t`Current password`}
            autoComplete="current-password"
            {...form.getInputProps('current_password')}
          />
          <PasswordField
            label={t`New password`}
            description={t`At least ${passwordMinLength} characters. All other devices are signed out.`}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <SecondFactorField factor={factor} isBusy={change.isPending} />
          <Group>
            <BusyButton type="submit" busy={change.isPending} busyLabel={t`Changing`}>{t`Change password`}</BusyButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
