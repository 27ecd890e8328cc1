import { useQuery } from '@tanstack/react-query';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import classes from '../../ui/forms/dialog-form.module.css';
import { toast } from '../../ui/frame/toast.ts';
import { ProfileDialog } from './profile-dialog.tsx';
import { securityQuery, useCloseAccount } from './queries.ts';

type CloseDialogProps = { opened: boolean; onClose: () => void };

/** Closes the account for good, after it said exactly what goes and what stays. What stands in the way is told as a toast. */
export function CloseDialog({ opened, onClose }: CloseDialogProps) {
  const close = useCloseAccount();
  const { data: security } = useQuery(securityQuery);

  return (
    <ProfileDialog opened={opened} onClose={onClose} title="Close your account for good?" isHeld={close.isPending}>
      <CodeForm
        layout="dialog"
        asks={security?.second_factor ? ['otp', 'password'] : ['password']}
        codeLabel="Code of your authenticator app"
        confirm="Close my account"
        busyLabel="Closing"
        isBusy={close.isPending}
        back={{ label: 'Keep it', onClick: onClose, hasFocus: !security?.second_factor }}
        onConfirm={({ otp, password }, onError) =>
          close.mutate(security?.second_factor ? { otp, password } : { password }, {
            onSuccess: () => toast.success('Your account is closed'),
            onError,
          })
        }
      >
        <WhatHappens />
      </CodeForm>
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
