import { Box, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { consoleEmailChanges, consoleLoosenings, memberControls, operatorPayouts } from '#contract/endpoints.ts';
import type { Loosening, LooseningKind } from '#contract/operator/loosenings.ts';
import type { MemberPage } from '#contract/operator/members.ts';
import { emailChangeRules } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { useOperator } from '../../../api/operator-state.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { consolePath } from '../../../ui/paths.ts';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import { TextLink } from '../../../ui/text/text.tsx';
import { looseningLabels, twoFactorOffText } from '../kit/approvals.ts';
import { type Decision, useDecisionDialog } from '../kit/decisions.tsx';
import { Quiet } from '../kit/detail-panel.tsx';
import { financeRoles } from '../roles.ts';
import { LimitsDialog } from './limits-dialog.tsx';

const causes = { not_me: 'by the member: this was not me', operator: 'by an operator' } as const;

/** To a closed account there is none: nothing is restricted or restored any more. */
export const AccessPanel = ({ page }: { page: MemberPage }) =>
  page.member.closed_at === null ? (
    <OpenAccess page={page} />
  ) : (
    <Panel title="Access" rule padded={false}>
      <Rows>
        <Line
          name="Account"
          note={`since ${formatDateTime(page.member.closed_at)}`}
          badge={<StateBadge of="query" state="closed" />}
        />
      </Rows>
    </Panel>
  );

/**
 * Whether the account, its withdrawals and its verification are active. Any operator restricts; finance and admins
 * propose to lift a restriction here, and a pending proposal is visible to all.
 */
function OpenAccess({ page }: { page: MemberPage }) {
  const { member, limits, loosenings } = page;
  const isFinance = financeRoles.includes(useOperator().role);
  const [isLimiting, setLimiting] = useState(false);
  const decisions = decisionsOf(member);
  const decisionOf = (action: Action): Decision => ({
    ...decisions[action],
    ...(loosenings.some(({ what }) => oppositeOf[what] === action) && again),
  });
  const { begin, dialog, changed } = useDecisionDialog({
    decisionOf,
    refreshes: ['members', 'loosenings', 'email-changes', 'overview'],
  });
  const { frozen_at, verified_at, withdrawals_frozen, security } = member;
  const areStopped = withdrawals_frozen !== null || security.email_request !== null;
  const buttonFor = (action: Action) => {
    const { button, danger } = decisionOf(action);
    return (
      <Button size="sm" variant={danger ? 'danger' : 'default'} onClick={() => begin(action)}>
        {button}
      </Button>
    );
  };
  /** Of an active restriction. */
  const liftFor = (what: LooseningKind) => {
    if (loosenings.some((one) => one.what === what)) {
      const opposite = oppositeOf[what];
      return opposite === undefined ? null : buttonFor(opposite);
    }
    return isFinance ? buttonFor(what) : null;
  };
  const waiting = (what: LooseningKind) => {
    const found = loosenings.find((one) => one.what === what);
    return found && <Waiting proposal={found} page="loosenings" label={looseningLabels[what]} />;
  };
  const emailChange = useEmailChange(member);
  const isLimited =
    limits.deposit_week.amount !== null || limits.loss_day.amount !== null || limits.paused_until !== null;

  return (
    <Panel title="Access" rule padded={false}>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Rows>
        <Line
          name="Account"
          note={frozen_at && `since ${formatDateTime(frozen_at)}`}
          waiting={waiting('unfreeze')}
          badge={<StateBadge of="member" state={frozen_at ? 'frozen' : 'active'} />}
        >
          {frozen_at ? liftFor('unfreeze') : buttonFor('freeze')}
        </Line>
        <Line
          name="Withdrawals"
          note={
            withdrawals_frozen
              ? `${causes[withdrawals_frozen.cause]}, ${formatDateTime(withdrawals_frozen.at)}`
              : security.email_request && 'while an email change is requested'
          }
          waiting={waiting('lift_withdrawal_stop')}
          badge={
            <StateBadge of="member" state={areStopped ? 'frozen' : 'active'}>
              {areStopped ? 'Stopped' : 'Active'}
            </StateBadge>
          }
        >
          {withdrawals_frozen ? liftFor('lift_withdrawal_stop') : buttonFor('stop')}
        </Line>
        <Line
          name="Verification"
          note={verified_at && `since ${formatDateTime(verified_at)}`}
          waiting={waiting('verify')}
          badge={<StateBadge of="security" state={verified_at ? 'verified' : 'unverified'} />}
        >
          {verified_at ? buttonFor('unverify') : liftFor('verify')}
        </Line>
        <Line
          name="Limits"
          note={limits.paused_until && `paused until ${formatDateTime(limits.paused_until)}`}
          badge={<StateBadge of="security" state={isLimited ? 'on' : 'off'} />}
        >
          <Button size="sm" variant="default" onClick={() => setLimiting(true)}>
            Tighten limits
          </Button>
        </Line>
        <Line
          name="Two-factor authentication"
          waiting={waiting('turn_off_two_factor')}
          badge={<StateBadge of="security" state={security.second_factor ? 'on' : 'off'} />}
        >
          {security.second_factor && liftFor('turn_off_two_factor')}
        </Line>
        <Line
          name="Email address"
          note={
            security.email_request &&
            `change to ${security.email_request.email} requested, ${formatDateTime(security.email_request.requested_at)}`
          }
          waiting={emailChange && <Waiting proposal={emailChange} page="email-changes" label="Email change" />}
          badge={<StateBadge of="security" state={security.email_verified ? 'verified' : 'unverified'} />}
        >
          {security.email_request && isFinance && (
            <>
              {emailChange === null && buttonFor('change_email')}
              {buttonFor('end_email_request')}
            </>
          )}
        </Line>
      </Rows>
      <LimitsDialog page={page} opened={isLimiting} onClose={() => setLimiting(false)} />
      {dialog}
    </Panel>
  );
}

type LineProps = { name: string; note?: ReactNode; waiting?: ReactNode; badge: ReactNode; children?: ReactNode };

const Line = ({ name, note, waiting, badge, children }: LineProps) => (
  <Stack component="li" gap={6} fz="sm">
    <Group gap="sm" wrap="nowrap">
      <Box flex={1} miw={0}>
        {name}
        {note && <Quiet>{note}</Quiet>}
      </Box>
      {badge}
      {children}
    </Group>
    {waiting}
  </Stack>
);

const PROPOSAL_POLL_MS = 20_000;

/** The open proposal about the member's request; null if there is none, undefined while unknown. */
function useEmailChange({ id, security: { email_request: request } }: MemberPage['member']) {
  const state = request?.due_at ? 'approved' : 'proposed';
  const { data } = useQuery({
    ...queryOf(['operator', 'email-changes', 'of', id, state], consoleEmailChanges.listEmailChanges, {
      query: { member_id: id, state },
      pollMs: PROPOSAL_POLL_MS,
    }),
    enabled: request !== null,
  });
  return request === null ? undefined : data && (data.items[0] ?? null);
}

type WaitingProps = {
  proposal: Pick<Loosening, 'id' | 'state' | 'proposed_by' | 'proposed_at' | 'due_at'>;
  page: 'loosenings' | 'email-changes';
  label: string;
};

/** An undecided or scheduled proposal, with a link to it. */
const Waiting = ({ proposal: { id, state, proposed_by, proposed_at, due_at }, page, label }: WaitingProps) => (
  <Quiet>
    <TextLink to={{ pathname: `${consolePath(page)}/${id}`, search: state === 'approved' ? '?state=approved' : '' }}>
      {label}
    </TextLink>
    {`: proposed by ${proposed_by.name}, ${formatDateTime(proposed_at)}`}
    {due_at !== null && `, takes effect ${formatDateTime(due_at)}`}
  </Quiet>
);

type Action = LooseningKind | 'freeze' | 'stop' | 'unverify' | 'change_email' | 'end_email_request';

/** What restores the restriction that a proposal would lift. A proposal without one is withdrawn on its own page. */
const oppositeOf: Partial<Record<LooseningKind, Action>> = {
  unfreeze: 'freeze',
  lift_withdrawal_stop: 'stop',
  verify: 'unverify',
};

const needsSecond = 'A second operator of finance or an admin has to approve it.';
const proposalText = `${needsSecond} The member is notified then.`;

function decisionsOf({ id, name }: MemberPage['member']): Record<Action, Decision> {
  const params = { id };
  const audited = 'Recorded in the audit log.';
  const propose =
    (what: LooseningKind): Decision['send'] =>
    ({ reason, otp }) =>
      call(consoleLoosenings.proposeLoosening, { body: { member_id: id, what, reason, otp } });
  return {
    freeze: {
      button: 'Freeze account',
      title: `Freeze the account of ${name}`,
      text: 'No trades, deposits or withdrawals until two operators unfreeze it. Open trades settle as usual.',
      busy: 'Freezing',
      danger: true,
      reason: audited,
      done: 'Account frozen',
      send: ({ reason: why }) => call(memberControls.setMemberFrozen, { params, body: { frozen: true, why } }),
    },
    unfreeze: {
      button: 'Propose unfreezing',
      title: `Propose unfreezing the account of ${name}`,
      text: proposalText,
      busy: 'Proposing',
      reason: audited,
      otp: true,
      done: 'Unfreezing proposed',
      send: propose('unfreeze'),
    },
    verify: {
      button: 'Propose verification',
      title: `Propose the verification of ${name}`,
      text: `You confirm that you have checked the identity. In live mode only verified members are paid. ${proposalText}`,
      busy: 'Proposing',
      reason: audited,
      otp: true,
      done: 'Verification proposed',
      send: propose('verify'),
    },
    unverify: {
      button: 'Remove verification',
      title: `Remove the verification of ${name}`,
      text: 'In live mode this member is no longer paid.',
      busy: 'Removing',
      danger: true,
      reason: audited,
      done: 'Verification removed',
      send: ({ reason: why }) => call(operatorPayouts.setMemberVerified, { params, body: { verified: false, why } }),
    },
    stop: {
      button: 'Stop withdrawals',
      title: `Stop the withdrawals of ${name}`,
      text: 'No withdrawal of this member is approved or paid, and none can be requested, nor the payout address changed, until two operators resume them. Everything else works as before.',
      busy: 'Stopping',
      danger: true,
      reason: audited,
      done: 'Withdrawals stopped',
      send: ({ reason: why }) => call(operatorPayouts.setWithdrawalsFrozen, { params, body: { frozen: true, why } }),
    },
    lift_withdrawal_stop: {
      button: 'Propose resuming',
      title: `Propose resuming the withdrawals of ${name}`,
      text: `Only when you are sure that the request comes from the member. ${proposalText}`,
      busy: 'Proposing',
      reason: audited,
      otp: true,
      done: 'Resuming withdrawals proposed',
      send: propose('lift_withdrawal_stop'),
    },
    turn_off_two_factor: {
      button: 'Propose turning off',
      title: `Propose turning off two-factor authentication of ${name}`,
      text: `Only for members who lost every device and all recovery codes. You confirm that you have checked the identity. ${needsSecond} ${twoFactorOffText}`,
      busy: 'Proposing',
      reason: 'How you checked the identity.',
      otp: true,
      done: 'Turning off proposed',
      send: propose('turn_off_two_factor'),
    },
    change_email: {
      button: 'Propose change',
      title: `Propose the email change of ${name}`,
      text: `You confirm that you have checked the identity. ${needsSecond} The address changes ${emailChangeRules.waitDays} days later. The member is notified of the approval and of the change.`,
      busy: 'Proposing',
      reason: 'How you checked the identity.',
      otp: true,
      done: 'Email change proposed',
      send: ({ reason, otp }) => call(consoleEmailChanges.proposeEmailChange, { body: { member_id: id, reason, otp } }),
    },
    end_email_request: {
      button: 'End request',
      title: `End the email request of ${name}`,
      text: 'The address stays, a proposal to change it is withdrawn, and withdrawals are active again unless something else stops them. The member is notified.',
      busy: 'Ending',
      danger: true,
      reason: audited,
      done: 'Request ended',
      send: ({ reason: why }) => call(consoleEmailChanges.endEmailRequest, { params, body: { why } }),
    },
  };
}

/** The same restriction while a proposal to lift it is pending: restoring it ends the proposal. */
const again = {
  button: 'Keep restricted',
  text: 'The restriction stays in force, and the proposal to lift it is withdrawn.',
  busy: 'Saving',
  done: 'Proposal withdrawn',
};
