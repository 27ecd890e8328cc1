import { Button, Checkbox, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { formatDollars, toDollars, toMicros } from '#contract/money.ts';
import { withdrawalRules } from '#contract/rules.ts';
import { saveFile } from '../../api/csv.ts';
import { t } from '../../api/texts.ts';
import { balancesQuery } from '../../api/trading-queries.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { toast } from '../../ui/frame/toast.ts';
import { Panel } from '../../ui/layout/panel.tsx';
import { Paragraph } from '../../ui/text/paragraph.tsx';
import { PasswordAndFactorDialog } from './password-and-factor-form.tsx';
import { useCloseAccount, useExportData } from './queries.ts';

export function DataPanel({ user }: { user: User }) {
  const exportData = useExportData();
  const [isClosing, setClosing] = useState(false);
  return (
    <Panel title={t`Your data`}>
      <Paragraph>{t`Download one file with all data held about you: account details, devices, tickets, transactions, trades, plans, deposits, withdrawals and incomes. You need to have signed in within the last 15 minutes. The limit is three exports a day.`}</Paragraph>
      <Group gap="xs" mt={14}>
        <BusyButton
          variant="default"
          busy={exportData.isPending}
          busyLabel={t`Exporting`}
          onClick={() =>
            exportData.mutate(undefined, { onSuccess: (file) => saveFile(`my-data-${user.referral_code}.json`, file) })
          }
        >{t`Export my data`}</BusyButton>
        <Button variant="danger" onClick={() => setClosing(true)}>{t`Close my account`}</Button>
      </Group>
      <CloseDialog opened={isClosing} onClose={() => setClosing(false)} />
    </Panel>
  );
}

/** States what is deleted and what is retained before it closes the account, and what still blocks closing. */
function CloseDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const close = useCloseAccount();
  const left = useRemainder(opened);
  /** What the member last agreed to forfeit: it may have changed since. */
  const [given, setGiven] = useState(0n);
  const [isMissing, setMissing] = useState(false);
  const tick = useRef<HTMLInputElement>(null);
  return (
    <PasswordAndFactorDialog
      opened={opened}
      title={t`Close your account permanently?`}
      confirm={t`Close my account`}
      danger
      busyLabel={t`Closing`}
      isBusy={close.isPending}
      back={t`Keep account`}
      onBack={onClose}
      backHasFocus
      onConfirm={(body, onError) => {
        if (left > 0n && given !== left) {
          setMissing(true);
          tick.current?.focus();
          return;
        }
        close.mutate(left === 0n ? body : { ...body, forfeit: toDollars(left) }, {
          onSuccess: () => toast.success(t`Your account is closed`),
          onError,
        });
      }}
    >
      <Paragraph
        text={t`<b>Deleted:</b> your name, email address, mobile number, password, devices, saved payout addresses, limits, notifications and emails to you. Nobody can sign in again, including you. Unclaimed rewards are lost.`}
      />
      <Paragraph
        text={t`<b>Kept without your name:</b> the ledger with your trades, plans, deposits, withdrawals and incomes, your position in the team, your tickets, and the audit log. You no longer receive team income.`}
      />
      <Paragraph>{t`Before you close, withdraw your balance, redeem your plans and wait until all trades, deposits and withdrawals are final. Export your data first if you want to keep it.`}</Paragraph>
      {left > 0n && (
        <Checkbox
          ref={tick}
          label={t`I forfeit the ${formatDollars(left)} left in my wallets: less than ${formatDollars(toMicros(withdrawalRules.minimumDollars))} in a wallet cannot be withdrawn.`}
          checked={given === left}
          onChange={(event) => {
            setGiven(event.currentTarget.checked ? left : 0n);
            setMissing(false);
          }}
          error={isMissing && t`Required to close the account.`}
        />
      )}
    </PasswordAndFactorDialog>
  );
}

/** What both wallets hold, where each holds less than can be withdrawn; zero while that is not known. */
function useRemainder(isNeeded: boolean): bigint {
  const { data } = useQuery({ ...balancesQuery, enabled: isNeeded });
  const wallets = [data?.primary_wallet ?? 0, data?.profit_wallet ?? 0];
  const isLittle = wallets.every((dollars) => dollars < withdrawalRules.minimumDollars);
  return isLittle ? wallets.reduce((sum, dollars) => sum + toMicros(dollars), 0n) : 0n;
}
