import { Box, Button, Group, Menu, Textarea, TextInput } from '@mantine/core';
import { IconDots, IconUserPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import { operatorAccounts } from '#contract/endpoints.ts';
import { isRequired, labels } from '#contract/rules.ts';
import { call } from '../../../api/call.ts';
import { queryOf } from '../../../api/query-of.ts';
import { formatDate, formatDateTime } from '../../../ui/format/time.ts';
import { Banner } from '../../../ui/frame/banner.tsx';
import { PageHead } from '../../../ui/layout/page-head.tsx';
import { Panel, Rows } from '../../../ui/layout/panel.tsx';
import { StateBadge } from '../../../ui/state/state-badge.tsx';
import type { Column } from '../../../ui/table/data-table.tsx';
import { isUnknown } from '../../../ui/table/data-table-states.tsx';
import { CodeField, codeError } from '../kit/code-field.tsx';
import { column, lines, unlabelledColumn } from '../kit/columns.tsx';
import { type Decision, useDecisionDialog } from '../kit/decisions.tsx';
import { Quiet } from '../kit/detail-panel.tsx';
import { REASON_MISSING, SegmentsField, SendDialog } from '../kit/dialog-form.tsx';
import { ListFrame } from '../kit/list-page.tsx';
import { ListTable, LoadFailed } from '../kit/list-table.tsx';
import { everyRole } from '../roles.ts';

/** Operators with their roles, and proposals that need a second admin. */
export function OperatorsPage() {
  const query = useQuery(queryOf(['operator', 'operators', 'list'], operatorAccounts.listOperators));
  const [isInviting, setInviting] = useState(false);
  const { begin, dialog, changed } = useDecisionDialog({
    decisionOf,
    refreshes: ['operators'],
  });
  return (
    <>
      <PageHead
        title="Operators"
        facts="New finance and admin accounts need two admins and 24 hours. Every operator uses two-factor authentication."
      >
        <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
          Invite operator
        </Button>
      </PageHead>
      {changed && <Banner tone="amber">{changed}</Banner>}
      <Proposals begin={begin} />
      <ListFrame>
        <ListTable
          label="Operators"
          whole
          columns={columnsOf(begin)}
          list={{ query, rows: query.data }}
          empty={{ icon: IconUsersGroup, title: 'No operators yet' }}
        />
      </ListFrame>
      <InviteDialog opened={isInviting} onClose={() => setInviting(false)} />
      {dialog}
    </>
  );
}

type Begin = (action: Action) => void;
const PROPOSALS_SHOWN = '100';

/** Pending proposals about operators; nothing once it is known that there are none. */
function Proposals({ begin }: { begin: Begin }) {
  const query = useQuery(
    queryOf(['operator', 'operators', 'proposals'], operatorAccounts.listOperatorProposals, {
      query: { limit: PROPOSALS_SHOWN, open: 'true' },
    }),
  );
  const items = query.data?.items ?? [];
  if (items.length === 0 && !isUnknown(query)) return null;
  return (
    <Panel title="Proposals" rule padded={false}>
      {isUnknown(query) && <LoadFailed query={query} />}
      <Rows>
        {items.map((proposal) => {
          const of = { id: proposal.id, name: proposalLabel(proposal) };
          return (
            <Group key={proposal.id} component="li" gap="8px 12px" fz="sm">
              <Box flex="1 1 260px" miw={0} style={{ overflowWrap: 'anywhere' }}>
                {of.name}
                <Quiet>{statusOf(proposal)}</Quiet>
                <Quiet>“{proposal.why}”</Quiet>
              </Box>
              {proposal.may_approve && (
                <Button size="sm" onClick={() => begin({ kind: 'approve', ...of })}>
                  Approve
                </Button>
              )}
              <Button size="sm" variant="danger" onClick={() => begin({ kind: 'withdraw', ...of })}>
                Withdraw
              </Button>
            </Group>
          );
        })}
      </Rows>
    </Panel>
  );
}

/** Who proposed it, who approved it, and when it is executed. */
function statusOf({ proposed_by, proposed_at, approved_by, due_at }: OperatorProposal): string {
  const proposed = proposed_by
    ? `Proposed by ${proposed_by.name}, ${formatDateTime(proposed_at)}.`
    : `Requested on the server’s command line, ${formatDateTime(proposed_at)}.`;
  if (due_at === null) return `${proposed} A second admin has to approve it.`;
  const approved = approved_by === null ? '' : ` Approved by ${approved_by.name}.`;
  return `${proposed}${approved} Takes effect ${formatDateTime(due_at)}.`;
}

const states = {
  active: <StateBadge of="member" state="active" />,
  disabled: (
    <StateBadge of="member" state="frozen">
      Disabled
    </StateBadge>
  ),
  invited: (
    <StateBadge of="plan" state="paused">
      Invited
    </StateBadge>
  ),
  setting_up: (
    <StateBadge of="plan" state="paused">
      Setting up
    </StateBadge>
  ),
} satisfies Record<ListedOperator['state'], ReactNode>;

const columnsOf = (begin: Begin): readonly Column<ListedOperator>[] => [
  column('Operator', (row) => lines(`${row.name}${row.self ? ' (you)' : ''}`, row.email)),
  column('Role', (row) => row.role, { width: '76px' }),
  column('State', (row) => states[row.state], { width: '120px' }),
  column(
    'Sign-ins, last used',
    ({ sign_ins, last_used_at: at }) => lines(sign_ins, at === null ? 'never used' : formatDateTime(at)),
    { width: '176px', drop: 'next' },
  ),
  column('Since', (row) => formatDate(row.created_at), { width: '120px', drop: 'first' }),
  unlabelledColumn('Actions', (row) => <Actions operator={row} begin={begin} />, '80px'),
];

function Actions({ operator, begin }: { operator: ListedOperator; begin: Begin }) {
  const actions = actionsOf(operator);
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end" width="max-content">
      <Menu.Target>
        <Button size="sm" variant="subtle" aria-label={`Actions for ${operator.name}`}>
          <IconDots size={16} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => {
          const { button } = decisionOf(action);
          return (
            <Menu.Item key={button} onClick={() => begin(action)}>
              {button}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

const nothing = { name: '', email: '', role: 'support', why: '', otp: '' };

/** Invites an operator by email. */
function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SendDialog
      {...{ opened, onClose }}
      title="Invite an operator"
      initial={nothing}
      check={({ name, email, why, otp }) => ({
        ...(name === '' && { name: isRequired(labels.name) }),
        ...(email === '' && { email: isRequired(labels.email) }),
        ...(why === '' && { why: REASON_MISSING }),
        ...codeError(otp),
      })}
      confirm="Invite operator"
      busyLabel="Inviting"
      send={({ role, ...typed }) =>
        call(operatorAccounts.inviteOperator, { body: { ...typed, role: role as OperatorRole } })
      }
      refreshes={['operators']}
      done={({ due_at }) => [due_at === null ? 'Invitation proposed' : 'Invitation sent']}
    >
      {({ values, set, typed, code }) => (
        <>
          <TextInput label={labels.name} autoComplete="off" {...typed('name')} />
          <TextInput label={labels.email} type="email" autoComplete="off" {...typed('email')} />
          <SegmentsField
            label="Role"
            options={everyRole}
            value={values.role as OperatorRole}
            onChange={(role) => set('role', role)}
          />
          <Textarea label="Reason" description={REASON_HINT} rows={2} maxLength={300} {...typed('why')} />
          <CodeField {...code('otp')} />
        </>
      )}
    </SendDialog>
  );
}

/** An admin's actions on an operator, or on a proposal; `id` is that of the record. */
type Action =
  | { kind: 'role'; id: string; name: string; role: OperatorRole; isHigher: boolean }
  | { kind: 'reset' | 'disable' | 'resend' | 'approve' | 'withdraw'; id: string; name: string };

/** No actions on oneself or a disabled operator. */
export function actionsOf({ id, name, role, state, self }: ListedOperator): Action[] {
  if (self || state === 'disabled') return [];
  const rank = (of: OperatorRole) => everyRole.indexOf(of);
  const roles = everyRole.filter((other) => other !== role);
  return [
    ...(state === 'invited' ? [{ kind: 'resend', id, name } as const] : []),
    ...roles.map((other): Action => ({ kind: 'role', id, name, role: other, isHigher: rank(other) > rank(role) })),
    ...(state === 'invited' ? [] : [{ kind: 'reset', id, name } as const]),
    { kind: 'disable', id, name },
  ];
}

const REASON_HINT = 'Recorded in the audit log, and emailed: about finance and admins to all operators.';
const APPROVAL_RULE = 'Where two admins existed, a second one has to approve it, and it takes effect after 24 hours.';

function decisionOf(action: Action): Decision {
  const { id, name } = action;
  const params = { id };
  switch (action.kind) {
    case 'role':
      return {
        button: `Change role to ${action.role}`,
        title: `Change the role of ${name} to ${action.role}`,
        text: action.isHigher
          ? `The new role has more permissions. ${APPROVAL_RULE}`
          : 'It takes effect immediately and ends all sign-ins.',
        confirm: 'Change role',
        reason: REASON_HINT,
        otp: true,
        done: action.isHigher ? 'Role change requested' : 'Role changed',
        send: ({ reason: why, otp }) =>
          call(operatorAccounts.changeOperatorRole, { params, body: { role: action.role, why, otp } }),
      };
    case 'reset':
      return {
        button: 'Reset password, app and passkeys',
        title: `Reset ${name}`,
        text: 'For an operator who lost their password, or app and passkeys. All are removed and a new invitation is emailed. Where two admins existed, a second one has to approve it, and it takes effect then.',
        confirm: 'Reset operator',
        busy: 'Resetting',
        danger: true,
        reason: REASON_HINT,
        otp: true,
        done: 'Reset requested',
        send: ({ reason: why, otp }) => call(operatorAccounts.resetOperator, { params, body: { why, otp } }),
      };
    case 'disable':
      return {
        button: 'Disable operator',
        title: `Disable ${name}`,
        text: 'All sign-ins end immediately. Only a new invitation restores the account.',
        busy: 'Disabling',
        danger: true,
        reason: REASON_HINT,
        otp: true,
        done: 'Operator disabled',
        send: ({ reason: why, otp }) => call(operatorAccounts.disableOperator, { params, body: { why, otp } }),
      };
    case 'resend':
      return {
        button: 'Resend invitation',
        title: `Resend the invitation of ${name}`,
        text: 'A new link is emailed. It is valid for 48 hours, and the old link stops working.',
        busy: 'Sending',
        otp: true,
        done: 'Invitation sent',
        send: ({ otp }) => call(operatorAccounts.resendInvitation, { params, body: { otp } }),
      };
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve: ${name}`,
        text: 'A reset is executed immediately, anything else after 24 hours unless it is withdrawn before.',
        busy: 'Approving',
        otp: true,
        done: 'Proposal approved',
        send: ({ otp }) => call(operatorAccounts.approveOperatorProposal, { params, body: { otp } }),
      };
    case 'withdraw':
      return {
        button: 'Withdraw',
        title: `Withdraw: ${name}`,
        text: 'Nothing changes.',
        confirm: 'Withdraw proposal',
        busy: 'Withdrawing',
        danger: true,
        otp: true,
        done: 'Proposal withdrawn',
        send: ({ otp }) => call(operatorAccounts.withdrawOperatorProposal, { params, body: { otp } }),
      };
  }
}

const kinds = { invite: 'New account', raise: 'Higher role', reset: 'Reset' } as const;

/** `New account: Olga Petrova, finance`. */
const proposalLabel = ({ kind, name, role }: OperatorProposal): string => `${kinds[kind]}: ${name}, ${role}`;
