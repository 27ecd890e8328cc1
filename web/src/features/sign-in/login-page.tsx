import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconLock, IconUser } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { paths } from '../../ui/paths.ts';
import { TextLink } from '../../ui/text/text-link.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { DemoLogins } from './demo-logins.tsx';
import { EyeIcon } from './eye-icon.tsx';
import classes from './form.module.css';
import { useLogin } from './queries.ts';
import { SessionMini, SessionPane } from './session-pane.tsx';
import { useAddressToken } from './use-address-token.ts';
import { loginRules, problemsOf } from './validation.ts';

/** Sign-in, at `/` and `/login` (the specification, point 2). */
export function LoginPage() {
  const navigate = useNavigate();
  const login = useLogin();
  const isCheckingToken = useAddressToken();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { loginId: readStored('referral_code') ?? '', password: '', remember: false },
    validate: ({ loginId, password }) => problemsOf(loginRules, { loginId, password }),
  });

  const submit = form.onSubmit(({ loginId, password, remember }) => {
    login.mutate(
      { loginId: loginId.trim(), password, remember },
      {
        onSuccess: (data) => {
          if ('challenge' in data) {
            navigate(paths.verifyOtp, { state: { purpose: 'login', challenge: data.challenge } });
          } else {
            // Being signed in, the member is led to the dashboard by the guard of the public routes.
            signIn(data.access_token, data.user);
          }
        },
        onError: (error) => error instanceof CallError && form.setErrors(error.fields),
      },
    );
  });
  const isBusy = login.isPending || isCheckingToken;

  return (
    <AuthFrame
      title="Welcome back"
      lead="Sign in to see your wallets, trades and team."
      pane={<SessionPane />}
      mini={<SessionMini />}
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label="Registered Id"
          autoComplete="username"
          autoCapitalize="characters"
          spellCheck={false}
          classNames={{ input: classes.code }}
          leftSection={<IconUser size={20} stroke={1.5} aria-hidden />}
          key={form.key('loginId')}
          {...form.getInputProps('loginId')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          leftSection={<IconLock size={20} stroke={1.5} aria-hidden />}
          visibilityToggleIcon={EyeIcon}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <div className={classes.line}>
          <Checkbox
            label="Remember Me"
            key={form.key('remember')}
            {...form.getInputProps('remember', { type: 'checkbox' })}
          />
          <TextLink to={paths.forgotPassword}>Forgot Password</TextLink>
        </div>
        <BusyButton
          className={classes.caps ?? ''}
          type="submit"
          size="lg"
          fullWidth
          busy={isBusy}
          busyLabel="SIGNING IN"
        >
          SIGN IN
        </BusyButton>
      </form>
      <p className={classes.swap}>
        New to {appInfo.brandName}? <TextLink to={paths.register}>Sign up</TextLink>
      </p>
      <DemoLogins
        onChoose={({ id, password }) => {
          form.setValues({ loginId: id, password });
          form.clearErrors();
        }}
      />
    </AuthFrame>
  );
}
