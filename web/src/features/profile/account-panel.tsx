import { Button } from '@mantine/core';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { CodeText } from '../../ui/code-text.tsx';
import { formatDate } from '../../ui/format/time.ts';
import { initials } from '../../ui/initials.ts';
import { KeyValues } from '../../ui/key-values.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { CopyIcon } from './copy-icon.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import classes from './profile-page.module.css';

type AccountPanelProps = {
  user: User;
  /** undefined while it is not known; null for nobody. */
  sponsor: string | null | undefined;
  frozen: boolean;
};

/** Who the member is to us. */
export function AccountPanel({ user, sponsor, frozen }: AccountPanelProps) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel
      title="Account"
      control={
        frozen ? (
          <StateBadge of="member" state="frozen" />
        ) : (
          <Button size="sm" variant="default" aria-label="Edit name and mobile" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <div className={classes.who}>
        <span className={classes.avatar} aria-hidden="true">
          {initials(user.name)}
        </span>
        <div>
          <b>{user.name}</b>
          <small>Member since {formatDate(user.created_at)}</small>
        </div>
      </div>
      <KeyValues
        rule
        items={[
          [
            'Registered Id',
            <span className={classes.code} key="id">
              <CodeText>{user.referral_code}</CodeText>
              <CopyIcon value={user.referral_code} what="Registered Id" />
            </span>,
          ],
          ['Mobile', user.mobile_number],
          ['Invited by', sponsor === undefined ? '–' : (sponsor ?? 'nobody')],
        ]}
      />
      <DetailsDialog user={user} opened={isEditing} onClose={() => setEditing(false)} />
    </Panel>
  );
}
