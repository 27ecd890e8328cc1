import { Button } from '@mantine/core';
import { IconExternalLink, IconEye } from '@tabler/icons-react';
import { useState } from 'react';
import type { DataOf } from '#contract/endpoint.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { supportAccessRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatTime } from '../../../ui/format/time.ts';
import { Dialog } from '../../../ui/forms/dialog.tsx';
import classes from '../../../ui/forms/dialog-form.module.css';
import { Banner } from '../../../ui/frame/banner.tsx';
import { type Decision, useDecisionDialog } from '../kit/decisions.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';

const { openMember } = endpoints.operatorOpen;

/** Asks for a reason, and gives the link that shows the account read-only. Its token stays in this dialog. */
export function OpenAccount({ member: { id, name } }: { member: MemberPage['member'] }) {
  const [opened, setOpened] = useState<DataOf<typeof openMember>>();
  const { begin, dialog, changed } = useDecisionDialog({
    version: 1,
    wordsOf: () => ({
      button: 'View as member',
      title: `View the account of ${name}`,
      text: `You see what the member sees for ${supportAccessRules.minutes} minutes, read-only. The member is notified with the reason. You can open ${supportAccessRules.mostADay} accounts a day (UTC).`,
      busy: 'Opening',
      reason: 'Visible to the member.',
      otp: true,
      done: 'Read-only access granted',
    }),
    mutation: useOperatorMutation(
      ({ values: { reason, otp } }: Decision<'open'>) => call(openMember, { params: { id }, body: { reason, otp } }),
      [],
    ),
    onDone: setOpened,
  });
  const close = () => setOpened(undefined);
  return (
    <>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Button
        variant="default"
        leftSection={<IconEye size={16} stroke={1.5} aria-hidden />}
        onClick={() => begin('open')}
      >
        View as member
      </Button>
      {dialog}
      <Dialog opened={opened !== undefined} onClose={close} title={`Account of ${name}`} size={440}>
        {opened && (
          <div className={classes.form}>
            <p className={classes.words}>
              Read-only until {formatTime(opened.expires_at)} UTC, or until you end it there. A member signed in in this
              browser is signed out here.
            </p>
            <div className={classes.actions}>
              <Button
                component="a"
                href={opened.address}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={16} stroke={1.5} aria-hidden />}
                onClick={close}
              >
                Open in new tab
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
