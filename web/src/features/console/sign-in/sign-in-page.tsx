import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { isRequired, labels, otpLength } from '#contract/rules.ts';
import { appInfo } from '../../../api/app-info.ts';
import { CallError } from '../../../api/call.ts';
import { BusyButton } from '../../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../../ui/forms/code-form.tsx';
import { PasswordField } from '../../../ui/forms/password-field.tsx';
import { Logo } from '../../../ui/frame/logo.tsx';
import { ProductMode } from '../../../ui/frame/mode-label.tsx';
import { ThemeSwitch } from '../../../ui/frame/theme-switch.tsx';
import classes from './sign-in.module.css';
import { useOperatorCode, useOperatorLogin } from './sign-in-queries.ts';

/** Mail address and password, then the code of the authenticator app. */
export function SignInPage() {
  const [challenge, setChallenge] = useState<string>();
  if (challenge !== undefined) return <CodeStep challenge={challenge} onBack={() => setChallenge(undefined)} />;
  return <PasswordStep onChallenge={setChallenge} />;
}

type Faults = { email?: string | undefined; password?: string | undefined };

function PasswordStep({ onChallenge }: { onChallenge: (challenge: string) => void }) {
  const login = useOperatorLogin();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [faults, setFaults] = useState<Faults>({});

  const show = (next: Faults) => {
    setFaults(next);
    if (next.email !== undefined) emailField.current?.focus();
    else if (next.password !== undefined) passwordField.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = {
      email: email.trim() === '' ? isRequired(labels.email) : undefined,
      password: password === '' ? isRequired(labels.password) : undefined,
    };
    show(missing);
    if (missing.email !== undefined || missing.password !== undefined) return;
    login.mutate(
      { email: email.trim(), password },
      {
        onSuccess: (data) => 'challenge' in data && onChallenge(data.challenge),
        onError: (error) => error instanceof CallError && show(error.fields),
      },
    );
  };

  return (
    <SignInFrame title="Operator sign-in" lead="For the people who run it. Members sign in elsewhere.">
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          ref={emailField}
          label={labels.email}
          type="email"
          autoComplete="username"
          spellCheck={false}
          value={email}
          error={faults.email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordField
          ref={passwordField}
          label={labels.password}
          autoComplete="current-password"
          value={password}
          error={faults.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <BusyButton type="submit" size="lg" fullWidth busy={login.isPending} busyLabel="Signing in">
          Sign in
        </BusyButton>
      </form>
    </SignInFrame>
  );
}

function CodeStep({ challenge, onBack }: { challenge: string; onBack: () => void }) {
  const verify = useOperatorCode();
  return (
    <SignInFrame
      title="Enter the code"
      lead={`Your authenticator app shows a ${otpLength}‑digit code for this account. Five tries, then sign in again.`}
    >
      <CodeForm
        layout="page"
        asks={['otp']}
        sendsItself
        confirm="Verify"
        busyLabel="Verifying"
        isBusy={verify.isPending}
        onConfirm={({ otp }, onError) => verify.mutate({ challenge, otp }, { onError })}
      />
      <Button className={classes.after ?? ''} variant="subtle" size="lg" fullWidth onClick={onBack}>
        Sign in as somebody else
      </Button>
    </SignInFrame>
  );
}

/** Around what comes before the console: one card in the middle, the mode always in sight. */
export function SignInFrame({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.frame}>
      <title>{`${title} · ${appInfo.brandName}`}</title>
      <header className={classes.top}>
        <Logo />
        <span className={classes.tag}>Operator</span>
        <ProductMode />
        <span className={classes.grow} />
        <ThemeSwitch />
      </header>
      <main className={classes.card}>
        <h1>{title}</h1>
        <p className={classes.lead}>{lead}</p>
        {children}
      </main>
      <footer className={classes.foot}>Every sign-in and every action of an operator is in the audit log.</footer>
    </div>
  );
}
