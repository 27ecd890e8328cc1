import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { useResetPassword } from './queries.ts';
import { ResetSteps } from './reset-steps.tsx';
import { newPassword, problemsOf } from './validation.ts';

const resetTokenOf = (state: unknown): string | undefined => {
  const token = (state as { resetToken?: unknown } | null)?.resetToken;
  return typeof token === 'string' ? token : undefined;
};

/** A new password, with the token that a verified code gave. */
export function ResetPasswordPage() {
  const navigate = useNavigate();
  const resetToken = resetTokenOf(useLocation().state);
  const reset = useResetPassword();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: (values) => problemsOf({ password: newPassword }, values),
  });

  if (resetToken === undefined) {
    return (
      <NarrowFrame
        title="Ask for a code first"
        lead="A new password can be chosen once the code from the mail was entered."
      >
        <Button component={Link} to={paths.forgotPassword} size="lg" fullWidth>
          Ask for a code
        </Button>
      </NarrowFrame>
    );
  }

  const submit = form.onSubmit(({ password }) => {
    reset.mutate(
      { reset_token: resetToken, password },
      {
        onSuccess: () => {
          toast.success('Password changed', 'All devices are signed out. Sign in with the new one.');
          navigate(paths.login, { replace: true });
        },
        onError: (error) => error instanceof CallError && form.setErrors(error.fields),
      },
    );
  });

  return (
    <NarrowFrame title="Choose a new password" lead="All devices are signed out when it is changed.">
      <form onSubmit={submit} noValidate>
        <Stack gap={18}>
          <PasswordField
            label="New password"
            autoComplete="new-password"
            placeholder={`At least ${passwordMinLength} characters`}
            leftSection={<IconLock size={20} stroke={1.5} aria-hidden />}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <BusyButton type="submit" size="lg" fullWidth busy={reset.isPending} busyLabel="Saving">
            Save the password
          </BusyButton>
        </Stack>
      </form>
      <ResetSteps current={3} />
    </NarrowFrame>
  );
}
