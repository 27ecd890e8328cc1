import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import { call } from '../../../api/call.ts';
import { endpoints } from '../../../api/endpoints.ts';
import type { Decision, DecisionWords } from '../kit/decisions.tsx';
import { everyRole } from '../roles.ts';

/** What an admin can do about an operator, or about a proposal; `id` is of the one it is about. */
export type Action =
  | { kind: 'role'; id: string; name: string; role: OperatorRole; isHigher: boolean }
  | { kind: 'reset' | 'disable' | 'resend' | 'approve' | 'withdraw'; id: string; name: string };

/** Nothing about oneself or a disabled operator. */
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

export const REASON_HINT = 'Recorded in the audit log and emailed to all operators.';
const APPROVAL_RULE = 'Where two admins exist, a second one has to approve it, and it takes effect after 24 hours.';

export function actionWords(action: Action): DecisionWords {
  const { name } = action;
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
        done: action.isHigher ? 'Role change proposed' : 'Role changed',
      };
    case 'reset':
      return {
        button: 'Reset password and authenticator',
        title: `Reset ${name}`,
        text: `For an operator who lost their password or authenticator app. Both are removed and a new invitation is emailed. ${APPROVAL_RULE}`,
        confirm: 'Reset operator',
        busy: 'Resetting',
        danger: true,
        reason: REASON_HINT,
        otp: true,
        done: 'Reset proposed',
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
      };
    case 'resend':
      return {
        button: 'Resend invitation',
        title: `Resend the invitation of ${name}`,
        text: 'A new link is emailed. It is valid for 48 hours, and the old link stops working.',
        busy: 'Sending',
        otp: true,
        done: 'Invitation sent',
      };
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve: ${name}`,
        text: 'It is executed automatically when the waiting time is over.',
        busy: 'Approving',
        otp: true,
        done: 'Proposal approved',
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
      };
  }
}

export function send({ action, values: { reason: why, otp } }: Decision<Action>): Promise<unknown> {
  const rows = endpoints.operatorAccounts;
  const params = { id: action.id };
  switch (action.kind) {
    case 'role':
      return call(rows.changeOperatorRole, { params, body: { role: action.role, why, otp } });
    case 'reset':
      return call(rows.resetOperator, { params, body: { why, otp } });
    case 'disable':
      return call(rows.disableOperator, { params, body: { why, otp } });
    case 'resend':
      return call(rows.resendInvitation, { params, body: { otp } });
    case 'approve':
      return call(rows.approveOperatorProposal, { params, body: { otp } });
    case 'withdraw':
      return call(rows.withdrawOperatorProposal, { params, body: { otp } });
  }
}

const kinds = { invite: 'New account', raise: 'Higher role', reset: 'Reset' } as const;

/** `New account: Olga Petrova, finance`. */
export const proposalLabel = ({ kind, name, role }: OperatorProposal): string => `${kinds[kind]}: ${name}, ${role}`;
