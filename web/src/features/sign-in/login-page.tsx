import { Button, Checkbox, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFingerprint, IconLock, IconUser } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/can-use-passkeys.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { LanguageSelect } from '../../ui/forms/language-select.tsx';
import { PasswordField } from '../../ui/forms/password-field.tsx';
import { paths } from '../../ui/paths.ts';
import { CodeText, TextLink } from '../../ui/text/text.tsx';
import { Trans } from '../../ui/text/trans.tsx';
import classes from './auth-frame.module.css';
import { AuthFrame } from './auth-frame.tsx';
import { useAdoptSignIn, useLogin, usePasskeySignIn } from './queries.ts';
import { SessionMini, SessionPane } from './session-pane.tsx';
import { loginRules, problemsOf } from './validation.ts';

/** Sign-in, at `/` and `/login` (the specification, point 2). */
export function LoginPage() {
  const navigate = useNavigate();
  const login = useLogin();
  const passkey = usePasskeySignIn();
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
            navigate(paths.verifyOtp, {
              state: { purpose: 'login', challenge: data.challenge, methods: data.methods },
            });
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
      title={t`Welcome back`}
      lead={t`Sign in to see your wallets, trades and team.`}
      pane={<SessionPane />}
      mini={<SessionMini />}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap={18}>
          <TextInput
            label={t`Registered Id`}
            autoComplete="username"
            autoCapitalize="characters"
            spellCheck={false}
            classNames={{ input: classes.code }}
            leftSection={<IconUser size={20} stroke={1.5} aria-hidden />}
            key={form.key('loginId')}
            {...form.getInputProps('loginId')}
          />
          <PasswordField
            label={t`Password`}
            autoComplete="current-password"
            leftSection={<IconLock size={20} stroke={1.5} aria-hidden />}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Group justify="space-between" gap="sm" fz="sm">
            <Checkbox
              label={t`Remember Me`}
              key={form.key('remember')}
              {...form.getInputProps('remember', { type: 'checkbox' })}
            />
            <TextLink to={paths.forgotPassword}>{t`Forgot Password`}</TextLink>
          </Group>
          <BusyButton
            mt={4}
            fz="sm"
            lts="0.05em"
            type="submit"
            size="lg"
            fullWidth
            busy={isBusy}
            busyLabel={t`SIGNING IN`}
          >{t`SIGN IN`}</BusyButton>
        </Stack>
      </form>
      {/* Its name does not hold that of the button above, by which people and programs find the form. */}
      {canUsePasskeys() && (
        <BusyButton
          variant="default"
          size="lg"
          fullWidth
          mt={12}
          leftSection={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
          busy={passkey.isPending}
          busyLabel={t`Waiting`}
          disabled={isBusy}
          onClick={() =>
            passkey.mutate(form.getValues().remember, {
              onSuccess: (data) => signIn(data.access_token, data.user),
            })
          }
        >{t`Use a passkey`}</BusyButton>
      )}
      <Text size="sm" c="var(--tw-text-2)" ta="center" mt={20}>
        <Trans
          text={t`New to ${appInfo.brandName}? <link>Sign up</link>`}
          link={(inner) => <TextLink to={paths.register}>{inner}</TextLink>}
        />
      </Text>
      <LanguageSelect mt={20} />
      <DemoLogins
        onChoose={({ id, password }) => {
          form.setValues({ loginId: id, password });
          form.clearErrors();
        }}
      />
    </AuthFrame>
  );
}

const TOKEN = 'accessToken';

/**
 * `?accessToken=` on the login page (docs/product.md, section 8): removed from the address at once, so that it is
 * neither bookmarked nor shared, and stored only after the server said whose it is; the layout then asks whether the
 * account is their own. The page is shown only while no token is stored, so nobody's session is replaced. Returns whether
 * a token is being checked.
 */
function useAddressToken(): boolean {
  const [search, setSearch] = useSearchParams();
  const token = search.get(TOKEN);
  const checked = useRef<string>(undefined);
  const { mutate, isPending } = useAdoptSignIn();

  useEffect(() => {
    if (!token || checked.current === token) return;
    checked.current = token;
    setSearch(
      (current) => {
        const rest = new URLSearchParams(current);
        rest.delete(TOKEN);
        return rest;
      },
      { replace: true },
    );
    mutate(token, {
      onSuccess: ({ user, opened_by, confirmation }) =>
        signIn(token, user, { openedBy: opened_by ?? undefined, confirmation: confirmation ?? undefined }),
    });
  }, [token, setSearch, mutate]);

  return isPending;
}

type Login = { label: string; id: string; password: string };

/** Only the demo world has them. */
function DemoLogins({ onChoose }: { onChoose: (login: Login) => void }) {
  const logins = appInfo.demo?.logins ?? [];
  if (logins.length === 0) return null;
  return (
    <Paper
      component="section"
      aria-label={t`Demo accounts`}
      mt={28}
      px="md"
      py="sm"
      bg="var(--tw-amber-tint)"
      bd="1px dashed var(--tw-amber-line)"
    >
      <Text component="h2" size="xs" fw={500} c="var(--tw-amber)">{t`Demo accounts`}</Text>
      <ul>
        {logins.map((login) => (
          <Group key={login.id} component="li" justify="space-between" gap="sm" wrap="nowrap" mt="sm">
            <div>
              <Text component="b" display="block" size="sm" fw={500}>
                {login.label}
              </Text>
              <Text size="xs" c="var(--tw-text-2)" style={{ overflowWrap: 'anywhere' }}>
                <CodeText>{`${login.id} · ${login.password}`}</CodeText>
              </Text>
            </div>
            <Button
              size="sm"
              variant="default"
              aria-label={t`Fill in ${login.label}`}
              onClick={() => onChoose(login)}
            >{t`Fill in`}</Button>
          </Group>
        ))}
      </ul>
    </Paper>
  );
}
