import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock } from '@tabler/icons-react';
import { Link, useLocation, useNavigate } from 'react-router';
import { passwordMinLength } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { paths } from '../../ui/paths.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { useFragmentToken } from '../../ui/use-fragment-token.ts';
import { useResetPassword } from './queries.ts';
import { ResetSteps } from './reset-steps.tsx';
import { newPassword, problemsOf } from './validation.ts';

const resetTokenOf = (state: unknown): string => {
  const token = (state as { resetToken?: unknown } | null)?.resetToken;
  return typeof token === 'string' ? token : '';
};

/** The token comes from the page where a code was entered, or with the link of an email. */
export function ResetPasswordPage() {
  const navigate = useNavigate();
  const linkToken = useFragmentToken();
  const resetToken = resetTokenOf(useLocation().state) || linkToken;
  const reset = useResetPassword();
  const { form: element, focusFirstError } = useFirstError();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validate: (values) => problemsOf({ password: newPassword }, values),
  });

  if (resetToken === '') {
    return (
      <NarrowFrame
        title={t`Request a code first`}
        lead={t`Enter the code from the email before you set a new password.`}
      >
        <Button component={Link} to={paths.forgotPassword} size="lg" fullWidth>{t`Request code`}</Button>
      </NarrowFrame>
    );
  }

  const submit = form.onSubmit(({ password }) => {
    reset.mutate(
      { reset_token: resetToken, password },
      {
        onSuccess: () => {
          toast.success(t`Password changed`, t`All devices are signed out. Sign in with your new password.`);
          navigate(paths.login, { replace: true });
        },
        onError: (error) => {
          if (error instanceof CallError) form.setErrors(error.fields);
          focusFirstError();
        },
      },
    );
  }, focusFirstError);

  return (
    <NarrowFrame title={t`Set a new password`} lead={t`Changing your password signs out all devices.`}>
      <form ref={element} onSubmit={submit} noValidate>
        <Stack gap={18}>
          <PasswordField
            label={t`New password`}
            autoComplete="new-password"
            placeholder={t`At least ${passwordMinLength} characters`}
            leftSection={<IconLock size={20} stroke={1.5} aria-hidden />}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Refusal error={reset.error} />
          <BusyButton
            type="submit"
            size="lg"
            fullWidth
            busy={reset.isPending}
            busyLabel={t`Saving`}
          >{t`Save password`}</BusyButton>
        </Stack>
      </form>
      {linkToken === '' && <ResetSteps current={3} />}
    </NarrowFrame>
  );
}
