import { Box, Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { MemberPage } from '#contract/operator/members.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Rows } from '../../../ui/layout/rows.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { type Decision, type DecisionWords, useDecisionDialog } from '../kit/decisions.tsx';
import { Quiet } from '../kit/detail-panel.tsx';
import { useOperatorMutation } from '../kit/use-operator-mutation.ts';
import { LimitsDialog } from './limits-dialog.tsx';

const causes = { not_me: 'by the member: this was not me', operator: 'by an operator' } as const;

/** Whether the account, its withdrawals and its verification are active, each with the button that changes it. */
export function AccessPanel({ page }: { page: MemberPage }) {
  const { member, limits } = page;
  const [isLimiting, setLimiting] = useState(false);
  const { begin, dialog, changed } = useDecisionDialog({
    version: 1,
    wordsOf: (action: Action) => actionWords(action, member.name),
    mutation: useOperatorMutation((decision: Decision<Action>) => send(member.id, decision), ['members']),
  });
  const { frozen_at, verified_at, withdrawals_frozen, security } = member;
  const buttonFor = (action: Action) => {
    const { button, danger } = actionWords(action, member.name);
    return (
      <Button size="sm" variant={danger ? 'danger' : 'default'} onClick={() => begin(action)}>
        {button}
      </Button>
    );
  };
  const isLimited =
    limits.deposit_week.amount !== null || limits.loss_day.amount !== null || limits.paused_until !== null;

  return (
    <Panel title="Access" rule padded={false}>
      {changed && <Banner tone="amber">{changed}</Banner>}
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
              {withdrawals_frozen ? 'Stopped' : 'Active'}
            </StateBadge>
          }
        >
          {buttonFor(withdrawals_frozen ? 'resume' : 'stop')}
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
          note={limits.paused_until && `paused until ${formatDateTime(limits.paused_until)}`}
          badge={<StateBadge of="security" state={isLimited ? 'on' : 'off'} />}
        >
          {member.closed_at === null && (
            <Button size="sm" variant="default" onClick={() => setLimiting(true)}>
              Tighten limits
            </Button>
          )}
        </Line>
        <Line
          name="Two-factor authentication"
          badge={<StateBadge of="security" state={security.second_factor ? 'on' : 'off'} />}
        />
        <Line
          name="Email address"
          badge={<StateBadge of="security" state={security.email_verified ? 'verified' : 'unverified'} />}
        />
      </Rows>
      <LimitsDialog page={page} opened={isLimiting} onClose={() => setLimiting(false)} />
      {dialog}
    </Panel>
  );
}

type LineProps = { name: string; note?: ReactNode; badge: ReactNode; children?: ReactNode };

const Line = ({ name, note, badge, children }: LineProps) => (
  <Group component="li" gap="sm" wrap="nowrap" fz="sm">
    <Box flex={1} miw={0}>
      {name}
      {note && <Quiet>{note}</Quiet>}
    </Box>
    {badge}
    {children}
  </Group>
);

type Action = 'freeze' | 'unfreeze' | 'verify' | 'unverify' | 'stop' | 'resume';

function actionWords(action: Action, name: string): DecisionWords {
  const reason = 'Recorded in the audit log.';
  switch (action) {
    case 'freeze':
      return {
        button: 'Freeze account',
        title: `Freeze the account of ${name}`,
        text: 'No trades, deposits or withdrawals until you unfreeze it. Open trades settle as usual.',
        busy: 'Freezing',
        danger: true,
        reason,
        done: 'Account frozen',
      };
    case 'unfreeze':
      return {
        button: 'Unfreeze account',
        title: `Unfreeze the account of ${name}`,
        text: 'The account works as before.',
        busy: 'Unfreezing',
        reason,
        otp: true,
        done: 'Account unfrozen',
      };
    case 'verify':
      return {
        button: 'Verify member',
        title: `Verify ${name}`,
        text: 'Confirm that you have checked the identity. In live mode only verified members are paid.',
        busy: 'Verifying',
        reason,
        done: 'Member verified',
      };
    case 'unverify':
      return {
        button: 'Remove verification',
        title: `Remove the verification of ${name}`,
        text: 'In live mode this member is no longer paid.',
        busy: 'Removing',
        danger: true,
        reason,
        done: 'Verification removed',
      };
    case 'stop':
      return {
        button: 'Stop withdrawals',
        title: `Stop the withdrawals of ${name}`,
        text: 'No withdrawal of this member is approved or paid, and none can be requested. Everything else works as before.',
        busy: 'Stopping',
        danger: true,
        reason,
        done: 'Withdrawals stopped',
      };
    case 'resume':
      return {
        button: 'Resume withdrawals',
        title: `Resume the withdrawals of ${name}`,
        text: 'Only when you are sure that the request comes from the member.',
        busy: 'Resuming',
        reason,
        otp: true,
        done: 'Withdrawals resumed',
      };
  }
}

function send(id: string, { action, values: { reason: why, otp } }: Decision<Action>): Promise<null> {
  const params = { id };
  const { setMemberFrozen } = endpoints.memberControls;
  const { setMemberVerified, setWithdrawalsFrozen } = endpoints.operatorPayouts;
  switch (action) {
    case 'freeze':
      return call(setMemberFrozen, { params, body: { frozen: true, why } });
    case 'unfreeze':
      return call(setMemberFrozen, { params, body: { frozen: false, why, otp } });
    case 'verify':
      return call(setMemberVerified, { params, body: { verified: true, why } });
    case 'unverify':
      return call(setMemberVerified, { params, body: { verified: false, why } });
    case 'stop':
      return call(setWithdrawalsFrozen, { params, body: { frozen: true, why } });
    case 'resume':
      return call(setWithdrawalsFrozen, { params, body: { frozen: false, why, otp } });
  }
}
