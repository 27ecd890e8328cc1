import { Box, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { MemberPage } from '#contract/operator/members.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Panel } from '../../../ui/frame/panel.tsx';
import { Rows } from '../../../ui/frame/rows.tsx';
import { toast } from '../../../ui/frame/toast.ts';
import { StateBadge } from '../../../ui/text/state-badge.tsx';
import { DecisionDialog } from '../kit/decision-dialog.tsx';
import { Quiet } from '../kit/quiet.tsx';
import type { DecisionWords } from '../kit/use-decisions.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { useActOnMember } from './queries.ts';

type Action = Exclude<MemberAction, 'open'>;

/** Whether the account, its withdrawals and its verification are on, each with the way to change it. */
export function AccessPanel({ page }: { page: MemberPage }) {
  const { member } = page;
  const act = useActOnMember(member.id);
  const [action, setAction] = useState<Action>();
  const [isOpen, setOpen] = useState(false);
  const [isLimiting, setLimiting] = useState(false);
  const begin = (next: Action) => {
    setAction(next);
    setOpen(true);
  };
  const words = action && actionWords(action, member);
  const { frozen_at, verified_at, withdrawals_frozen, security } = member;
  const buttonFor = (next: Action) => {
    const { button, danger } = actionWords(next, member);
    return (
      <Button size="sm" variant={danger ? 'danger' : 'default'} onClick={() => begin(next)}>
        {button}
      </Button>
    );
  };
  const causes = { not_me: 'by the member: this was not me', operator: 'by an operator' } as const;

  return (
    <Panel title="Access" rule padded={false}>
      <Rows>
        <Line
          name="Account"
          note={frozen_at && `since ${formatDateTime(frozen_at)}`}
          badge={<StateBadge of="member" state={frozen_at ? 'frozen' : 'active'} />}
        >
          {buttonFor(frozen_at ? 'unfreeze' : 'freeze')}
        </Line>
        <Line
          name="Withdrawals"
          note={withdrawals_frozen && `${causes[withdrawals_frozen.cause]}, ${formatDateTime(withdrawals_frozen.at)}`}
          badge={
            <StateBadge of="member" state={withdrawals_frozen ? 'frozen' : 'active'}>
              {withdrawals_frozen ? 'Stopped' : 'Going on'}
            </StateBadge>
          }
        >
          {buttonFor(withdrawals_frozen ? 'go_on' : 'stop')}
        </Line>
        <Line
          name="Verification"
          note={verified_at && `since ${formatDateTime(verified_at)}`}
          badge={<StateBadge of="security" state={verified_at ? 'verified' : 'unverified'} />}
        >
          {buttonFor(verified_at ? 'unverify' : 'verify')}
        </Line>
        <Line
          name="Limits"
          note={page.limits.paused_until && `paused until ${formatDateTime(page.limits.paused_until)}`}
          badge={<StateBadge of="security" state={isLimited(page) ? 'on' : 'off'} />}
        >
          {member.closed_at === null && (
            <Button size="sm" variant="default" onClick={() => setLimiting(true)}>
              Tighten
            </Button>
          )}
        </Line>
        <Line name="Second factor" badge={<StateBadge of="security" state={security.second_factor ? 'on' : 'off'} />} />
        <Line
          name="Mail address"
          badge={<StateBadge of="security" state={security.email_verified ? 'verified' : 'unverified'} />}
        />
      </Rows>
      <LimitsDialog page={page} opened={isLimiting} onClose={() => setLimiting(false)} />
      {words && action && (
        <DecisionDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          title={words.title}
          asks={words}
          confirm={words.confirm}
          busyLabel={words.busy}
          danger={words.danger ?? false}
          isBusy={act.isPending}
          onConfirm={(values, onError) =>
            act.mutate(
              { action, values },
              {
                onSuccess: () => {
                  setOpen(false);
                  toast.success(words.done);
                },
                onError,
              },
            )
          }
        >
          {words.text}
        </DecisionDialog>
      )}
    </Panel>
  );
}

const isLimited = ({ limits: { deposit_week, loss_day, paused_until } }: MemberPage): boolean =>
  deposit_week.amount !== null || loss_day.amount !== null || paused_until !== null;

type LineProps = {
  name: string;
  note?: ReactNode;
  badge: ReactNode;
  /** Says the same as the badge in a button: what can be done about it. */
  children?: ReactNode;
};

function Line({ name, note, badge, children }: LineProps) {
  return (
    <Group component="li" gap="sm" wrap="nowrap" fz="sm">
      <Box flex={1} miw={0}>
        {name}
        {note && <Quiet>{note}</Quiet>}
      </Box>
      {badge}
      {children}
    </Group>
  );
}

/** What an operator can do to an account. */
export type MemberAction = 'freeze' | 'unfreeze' | 'verify' | 'unverify' | 'stop' | 'go_on' | 'open';

const reason = { label: 'Reason', hint: 'It stands in the audit log.' };

export function actionWords(action: MemberAction, { name }: MemberPage['member']): DecisionWords {
  switch (action) {
    case 'freeze':
      return {
        button: 'Freeze',
        title: `Freeze ${name}`,
        text: 'Nothing can be traded, put in or taken out until it is let go on. Open trades settle as always.',
        confirm: 'Freeze',
        busy: 'Freezing',
        danger: true,
        reason,
        done: 'Account frozen',
      };
    case 'unfreeze':
      return {
        button: 'Let go on',
        title: `Let ${name} go on`,
        text: 'The account works as before.',
        confirm: 'Let go on',
        busy: 'Saving',
        reason,
        otp: true,
        done: 'Account goes on',
      };
    case 'verify':
      return {
        button: 'Verify',
        title: `Verify ${name}`,
        text: 'You have seen who this is. In live mode money goes out to verified members only.',
        confirm: 'Verify',
        busy: 'Saving',
        reason,
        done: 'Verified',
      };
    case 'unverify':
      return {
        button: 'Take back',
        title: `Take the verification of ${name} back`,
        text: 'In live mode no money goes out to this member any more.',
        confirm: 'Take it back',
        busy: 'Saving',
        danger: true,
        reason,
        done: 'Verification taken back',
      };
    case 'stop':
      return {
        button: 'Stop',
        title: `Stop the withdrawals of ${name}`,
        text: 'Nothing of this member is approved or paid, and nothing new can be asked for. All else goes on.',
        confirm: 'Stop withdrawals',
        busy: 'Stopping',
        danger: true,
        reason,
        done: 'Withdrawals stopped',
      };
    case 'go_on':
      return {
        button: 'Let go on',
        title: `Let the withdrawals of ${name} go on`,
        text: 'Only when it is sure that the member is the one who asks.',
        confirm: 'Let them go on',
        busy: 'Saving',
        reason,
        otp: true,
        done: 'Withdrawals go on',
      };
    case 'open':
      return {
        button: 'Open the account',
        title: `Open the account of ${name}`,
        text: 'You see what the member sees, for 30 minutes, and can change nothing. The member is told who, when and why.',
        confirm: 'Open',
        busy: 'Opening',
        reason: { label: 'Reason', hint: 'The member reads it.' },
        done: 'Account opened',
      };
  }
}
