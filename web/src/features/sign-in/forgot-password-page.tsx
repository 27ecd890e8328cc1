import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconUser } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { CallError } from '../../api/call.ts';
import { randomText } from '../../api/random-text.ts';
import { readStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { useFirstError } from '../../ui/forms/use-first-error.ts';
import { NarrowFrame } from '../../ui/frame/narrow-frame.tsx';
import { paths } from '../../ui/paths.ts';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { useForgotPassword } from './queries.ts';
import { ResetSteps } from './reset-steps.tsx';
import { loginRules, problemsOf } from './validation.ts';

/** Reply and text are the same whether the account exists or not. */
export function ForgotPasswordPage() {
  const navigate = useNavigate();
  const forgot = useForgotPassword();
  const { form: element, focusFirstError } = useFirstError();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { loginId: readStored('referral_code') ?? '' },
    validate: (values) => problemsOf({ loginId: loginRules.loginId }, values),
  });

  const submit = form.onSubmit((values) => {
    const loginId = values.loginId.trim();
    // Binds the code to this page (docs/product.md, section 8).
    const requestToken = randomText();
    const asked = { loginId, request_token: requestToken };
    forgot.mutate(asked, {
      onSuccess: ({ expires_at, resend_at }) =>
        navigate(paths.verifyOtp, {
          state: { purpose: 'reset_password', loginId, requestToken, expiresAt: expires_at, resendAt: resend_at },
        }),
      onError: (error) => {
        if (error instanceof CallError) form.setErrors(error.fields);
        focusFirstError();
      },
    });
  }, focusFirstError);

  return (
    <NarrowFrame
      title={t`Forgot your password?`}
      lead={t`We email a code to the address of your account. Use it to set a new password.`}
    >
      <form ref={element} onSubmit={submit} noValidate>
        <Stack gap={18}>
          <TextInput
            label={t`Registered Id or Email Id`}
            autoComplete="username"
            spellCheck={false}
            leftSection={<IconUser size={20} stroke={1.5} aria-hidden />}
            key={form.key('loginId')}
            {...form.getInputProps('loginId')}
          />
          <Refusal error={forgot.error} />
          <BusyButton
            type="submit"
            size="lg"
            fullWidth
            busy={forgot.isPending}
            busyLabel={t`Sending`}
          >{t`Send code`}</BusyButton>
        </Stack>
      </form>
      <ResetSteps current={1} />
    </NarrowFrame>
  );
}
