import { IconFingerprint, IconLock, IconUser } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { appInfo } from '../../api/app-info.ts';
import { CallError } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/can-use-passkeys.ts';
import { signIn } from '../../api/sign-in-state.ts';
import { readStored } from '../../api/storage.ts';
import { t } from '../../api/texts.ts';
import { LanguageSelect } from '../../ui/forms/language-select.tsx';
import { paths } from '../../ui/paths.ts';
import { BusyFace, busyProps } from '../../ui/plain/busy.tsx';
import { PlainButton } from '../../ui/plain/button.tsx';
import { PlainCheckbox, PlainField, PlainPasswordField } from '../../ui/plain/field.tsx';
import { Refusal } from '../../ui/plain/refusal.tsx';
import { CodeText, TextLink, Trans } from '../../ui/text/text.tsx';
import { AuthFrame } from './auth-frame.tsx';
import classes from './login-page.module.css';
import { useAdoptSignIn, useLogin, usePasskeySignIn } from './queries.ts';
import { SessionMini, SessionPane } from './session-pane.tsx';
import { loginRules, problemsOf } from './validation.ts';

/** Errors under the fields. */
type Problems = Readonly<Record<string, string>>;

const inputOf = (form: HTMLFormElement | null, name: string) => form?.elements.namedItem(name) as HTMLInputElement;

/** Uncontrolled fields: a browser may fill them in without an event. */
const readForm = (form: HTMLFormElement | null) => ({
  loginId: inputOf(form, 'loginId').value,
  password: inputOf(form, 'password').value,
  remember: inputOf(form, 'remember').checked,
});

/**
 * Sign-in, at `/` and `/login` (the specification, point 2). Everybody's first page: it uses plain elements and loads
 * no component library.
 */
export function LoginPage() {
  const navigate = useNavigate();
  const login = useLogin();
  const passkey = usePasskeySignIn();
  const isCheckingToken = useAddressToken();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Problems>({});

  const refuse = (found: Problems) => {
    setProblems(found);
    inputOf(form.current, Object.keys(found)[0] ?? '')?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { loginId, password, remember } = readForm(form.current);
    const found = problemsOf(loginRules, { loginId, password });
    if (Object.keys(found).length > 0) return refuse(found);
    login.mutate(
      { loginId: loginId.trim(), password, remember },
      {
        onSuccess: (data) => {
          if ('challenge' in data) {
            navigate(paths.verifyOtp, {
              state: { purpose: 'login', challenge: data.challenge, methods: data.methods },
            });
          } else {
            // Once signed in, the guard of the public routes leads to the dashboard.
            signIn(data.access_token, data.user);
          }
        },
        onError: (error) => error instanceof CallError && refuse(error.fields),
      },
    );
  };
  const isBusy = login.isPending || isCheckingToken;
  const field = (name: string) => ({
    name,
    error: problems[name],
    onChange: () => setProblems(({ [name]: _, ...others }) => others),
  });

  return (
    <AuthFrame
      title={t`Welcome back`}
      lead={t`Sign in to see your wallets, trades and team.`}
      pane={<SessionPane />}
      mini={<SessionMini />}
    >
      <form className={classes.form} ref={form} onSubmit={submit} noValidate>
        <div className={classes.code}>
          <PlainField
            {...field('loginId')}
            label={t`Registered Id`}
            defaultValue={readStored('referral_code') ?? ''}
            autoComplete="username"
            autoCapitalize="characters"
            spellCheck={false}
            icon={IconUser}
          />
        </div>
        <PlainPasswordField
          {...field('password')}
          label={t`Password`}
          autoComplete="current-password"
          icon={IconLock}
        />
        <div className={classes.row}>
          <PlainCheckbox label={t`Remember Me`} name="remember" />
          <TextLink to={paths.forgotPassword}>{t`Forgot Password`}</TextLink>
        </div>
        <Refusal error={login.error} />
        <div className={classes.submit}>
          <PlainButton size="lg" wide {...busyProps({ busy: isBusy, type: 'submit' })}>
            <BusyFace busy={isBusy} busyLabel={t`SIGNING IN`}>{t`SIGN IN`}</BusyFace>
          </PlainButton>
        </div>
      </form>
      {/* Its name must not contain that of the button above, by which people and programs find the form. */}
      {canUsePasskeys() && (
        <div className={classes.passkey}>
          <Refusal error={passkey.error} />
          <PlainButton
            variant="default"
            size="lg"
            wide
            disabled={isBusy}
            {...busyProps({
              busy: passkey.isPending,
              onClick: () =>
                passkey.mutate(readForm(form.current).remember, {
                  onSuccess: (data) => signIn(data.access_token, data.user),
                }),
            })}
          >
            <BusyFace
              busy={passkey.isPending}
              busyLabel={t`Waiting`}
              icon={<IconFingerprint size={20} stroke={1.5} aria-hidden />}
            >{t`Use a passkey`}</BusyFace>
          </PlainButton>
        </div>
      )}
      <p className={classes.signUp}>
        <Trans
          text={t`New to ${appInfo.brandName}? <link>Sign up</link>`}
          link={(inner) => <TextLink to={paths.register}>{inner}</TextLink>}
        />
      </p>
      <div className={classes.language}>
        <LanguageSelect />
      </div>
      <DemoLogins
        onChoose={({ id, password }) => {
          inputOf(form.current, 'loginId').value = id;
          inputOf(form.current, 'password').value = password;
          setProblems({});
        }}
      />
    </AuthFrame>
  );
}

const TOKEN = 'accessToken';

/**
 * `?accessToken=` on the login page (docs/product.md, section 8): removed from the address at once, so that it is
 * neither bookmarked nor shared, and stored only after the server said whose it is; the layout then asks whether the
 * account is their own. The page is shown only while no token is stored, so it replaces nobody's session. Returns
 * whether a token is being verified.
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
    <section className={classes.demo} aria-label={t`Demo accounts`}>
      <h2>{t`Demo accounts`}</h2>
      <ul>
        {logins.map((login) => (
          <li key={login.id}>
            <div>
              <b>{login.label}</b>
              <p>
                <CodeText>{`${login.id} · ${login.password}`}</CodeText>
              </p>
            </div>
            <PlainButton
              size="sm"
              variant="default"
              aria-label={t`Fill in ${login.label}`}
              onClick={() => onChoose(login)}
            >{t`Fill in`}</PlainButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
