import { Button } from '@mantine/core';
import { IconExternalLink, IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import type { MemberPage } from '#contract/operator/members.ts';
import { formatTime } from '../../../ui/format/time.ts';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import dialog from '../../../ui/forms/dialog-form.module.css';
import { DecisionDialog } from '../kit/decision-dialog.tsx';
import { actionWords } from './access-panel.tsx';
import { useOpenMember } from './queries.ts';

/** Asks why, and gives the link that opens the account as its member sees it. */
export function OpenAccount({ member }: { member: MemberPage['member'] }) {
  const open = useOpenMember(member.id);
  const [isAsking, setAsking] = useState(false);
  const words = actionWords('open', member);
  const opened = open.data;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEye size={16} stroke={1.5} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {words.button}
      </Button>
      <DecisionDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.title}
        asks={words}
        confirm={words.confirm}
        busyLabel={words.busy}
        isBusy={open.isPending}
        onConfirm={({ reason }, onError) => open.mutate(reason, { onSuccess: () => setAsking(false), onError })}
      >
        {words.text}
      </DecisionDialog>
      <Dialog
        opened={opened !== undefined}
        onClose={() => open.reset()}
        title={`The account of ${member.name} is open`}
        size={440}
      >
        {opened && (
          <div className={dialog.form}>
            <p className={dialog.words}>
              Until {formatTime(opened.expires_at)} UTC, or until you end it there. A member who is signed in in this
              browser is signed out by it here, and only here.
            </p>
            <div className={dialog.actions}>
              <Button
                component="a"
                href={opened.address}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
                onClick={() => open.reset()}
              >
                Show it in a new tab
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
