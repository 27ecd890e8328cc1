import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { isRequired, labels } from '#contract/rules.ts';
import { CallError } from '../../api/call.ts';
import { BusyButton } from '../../ui/busy-button.tsx';
import { toast } from '../../ui/toast.ts';
import { CodeForm } from './code-form.tsx';
import classes from './dialog.module.css';
import { PasswordField } from './password-field.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import { securityQuery, useCloseAccount } from './queries.ts';

type CloseDialogProps = { opened: boolean; onClose: () => void };

/** Closes the account for good, after it said exactly what goes and what stays. What stands in the way is told as a toast. */
export function CloseDialog({ opened, onClose }: CloseDialogProps) {
  const close = useCloseAccount();
  const { data: security } = useQuery(securityQuery);
  const send = (values: { password: string; otp?: string }, onError: (error: Error) => void) =>
    close.mutate(values, { onSuccess: () => toast.success('Your account is closed'), onError });
  const common = { isBusy: close.isPending, onCancel: onClose };

  return (
    <ProfileDialog opened={opened} onClose={onClose} title="Close your account for good?" isHeld={close.isPending}>
      {security?.second_factor ? (
        <CodeForm
          withPassword
          codeLabel="Code of your authenticator app"
          confirm="Close my account"
          busyLabel="Closing"
          back="Keep it"
          isBusy={close.isPending}
          onBack={onClose}
          onConfirm={send}
        >
          <WhatHappens />
        </CodeForm>
      ) : (
        <PasswordForm {...common} onConfirm={send} />
      )}
    </ProfileDialog>
  );
}

function WhatHappens() {
  return (
    <>
      <p className={classes.words}>
        <b>Goes:</b> your name, mail address, mobile number, password, devices, saved payout addresses, limits,
        notifications and the mails to you. Nobody can sign in again, also not you, and rewards you did not claim are
        given up.
      </p>
      <p className={classes.words}>
        <b>Stays, without your name:</b> the ledger with your trades, plans, deposits, withdrawals and incomes, your
        place in the team, your tickets as they were written, and the log of actions. From now on your team earns you
        nothing.
      </p>
      <p className={classes.words}>
        Your wallets have to be empty, plans redeemed, trades settled, and nothing on its way in or out. If you want to
        keep your data, export it first.
      </p>
    </>
  );
}

type PasswordFormProps = {
  isBusy: boolean;
  onCancel: () => void;
  onConfirm: (values: { password: string }, onError: (error: Error) => void) => void;
};

function PasswordForm({ isBusy, onCancel, onConfirm }: PasswordFormProps) {
  const field = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string>();
  const show = (message: string | undefined) => {
    setFault(message);
    if (message !== undefined) field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (password === '') return show(isRequired(labels.password));
    onConfirm({ password }, (error) => show(error instanceof CallError ? error.fields.password : undefined));
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <WhatHappens />
      <PasswordField
        ref={field}
        label="Password"
        autoComplete="current-password"
        error={fault}
        readOnly={isBusy}
        value={password}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setFault(undefined);
        }}
      />
      <div className={classes.actions}>
        <Button variant="subtle" disabled={isBusy} onClick={onCancel} data-autofocus>
          Keep it
        </Button>
        <BusyButton type="submit" busy={isBusy} busyLabel="Closing">
          Close my account
        </BusyButton>
      </div>
    </form>
  );
}
