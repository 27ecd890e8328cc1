import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { saveFile } from '../../api/csv.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { CodeForm } from '../../ui/forms/code-form.tsx';
import { Dialog } from '../../ui/forms/dialog.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Words } from '../../ui/text/words.tsx';
import { securityQuery, useCloseAccount, useExportData } from './queries.ts';

/** Taking everything along, and leaving. */
export function DataPanel({ user }: { user: User }) {
  const exportData = useExportData();
  const [isClosing, setClosing] = useState(false);
  return (
    <Panel title="Your data">
      <Words>
        One file with everything held on you: details, devices, tickets, every movement, trade, plan, deposit,
        withdrawal and income. It takes a sign-in of the last 15 minutes, and you can ask for it three times a day.
      </Words>
      <Group gap="xs" mt={14}>
        <BusyButton
          variant="default"
          busy={exportData.isPending}
          busyLabel="Writing"
          onClick={() =>
            exportData.mutate(undefined, { onSuccess: (file) => saveFile(`my-data-${user.referral_code}.json`, file) })
          }
        >
          Export my data
        </BusyButton>
        <Button variant="danger" onClick={() => setClosing(true)}>
          Close my account
        </Button>
      </Group>
      <CloseDialog opened={isClosing} onClose={() => setClosing(false)} />
    </Panel>
  );
}

/** Closes the account for good, after it said exactly what goes and what stays. What stands in the way is told as a toast. */
function CloseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const close = useCloseAccount();
  const { data: security } = useQuery(securityQuery);
  return (
    <Dialog
      isSheet
      withCloseButton={false}
      opened={opened}
      onClose={onClose}
      title="Close your account for good?"
      isHeld={close.isPending}
    >
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
        <Words>
          <b>Goes:</b> your name, mail address, mobile number, password, devices, saved payout addresses, limits,
          notifications and the mails to you. Nobody can sign in again, also not you, and rewards you did not claim are
          given up.
        </Words>
        <Words>
          <b>Stays, without your name:</b> the ledger with your trades, plans, deposits, withdrawals and incomes, your
          place in the team, your tickets as they were written, and the log of actions. From now on your team earns you
          nothing.
        </Words>
        <Words>
          Your wallets have to be empty, plans redeemed, trades settled, and nothing on its way in or out. If you want
          to keep your data, export it first.
        </Words>
      </CodeForm>
    </Dialog>
  );
}
