import { Button } from '@mantine/core';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { formatDate } from '../../ui/format/time.ts';
import { Panel } from '../../ui/frame/panel.tsx';
import { KeyValues } from '../../ui/table/key-values.tsx';
import { CodeText } from '../../ui/text/code-text.tsx';
import { initials } from '../../ui/text/initials.ts';
import { StateBadge } from '../../ui/text/state-badge.tsx';
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
