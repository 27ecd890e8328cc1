import { Button } from '@mantine/core';
import { useState } from 'react';
import type { User } from '#contract/accounts/sign-in.ts';
import { saveFile } from '../../api/csv.ts';
import { BusyButton } from '../../ui/forms/busy-button.tsx';
import { Panel } from '../../ui/frame/panel.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { useExportData } from './queries.ts';
import classes from './security.module.css';

/** Taking everything along, and leaving. */
export function DataPanel({ user }: { user: User }) {
  const exportData = useExportData();
  const [isClosing, setClosing] = useState(false);
  return (
    <Panel title="Your data">
      <p className={classes.words}>
        One file with everything held on you: details, devices, tickets, every movement, trade, plan, deposit,
        withdrawal and income. It takes a sign-in of the last 15 minutes, and you can ask for it three times a day.
      </p>
      <div className={classes.buttons}>
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
      </div>
      <CloseDialog opened={isClosing} onClose={() => setClosing(false)} />
    </Panel>
  );
}
