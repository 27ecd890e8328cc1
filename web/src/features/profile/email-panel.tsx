import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Panel } from '../../ui/frame/panel.tsx';
import { StateBadge } from '../../ui/text/state-badge.tsx';
import { EmailDialog } from './email-dialog.tsx';
import type { EmailAim } from './email-step.ts';
import { securityQuery } from './queries.ts';
import classes from './security.module.css';

type EmailPanelProps = { email: string; frozen: boolean };

/** Where the account's mails go: whether somebody reads them there, and the way to another address. */
export function EmailPanel({ email, frozen }: EmailPanelProps) {
  const isVerified = useQuery(securityQuery).data?.email_verified;
  const [aim, setAim] = useState<EmailAim>();
  return (
    <Panel
      title="Mail address"
      control={isVerified !== undefined && <StateBadge of="security" state={isVerified ? 'verified' : 'unverified'} />}
    >
      <p className={classes.address}>{email}</p>
      <p className={classes.words}>
        Codes for withdrawals and for a new password go to it
        {isVerified === false ? ', so make sure that they arrive.' : '.'}
        {frozen && ' It cannot be changed while your account is frozen.'}
      </p>
      {!frozen && (
        <div className={classes.buttons}>
          {isVerified === false && (
            <Button variant="default" onClick={() => setAim('verify')}>
              Verify
            </Button>
          )}
          <Button variant="default" aria-label="Change the mail address" onClick={() => setAim('change')}>
            Change
          </Button>
        </div>
      )}
      <EmailDialog email={email} aim={aim} onClose={() => setAim(undefined)} />
    </Panel>
  );
}
