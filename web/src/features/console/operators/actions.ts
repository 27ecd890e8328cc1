import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { DecisionWords } from '../kit/use-decisions.tsx';

/** What an admin can do about an operator, or about a proposal; `id` is of the one it is about. */
export type Action =
  | { kind: 'role'; id: string; name: string; role: OperatorRole; isHigher: boolean }
  | { kind: 'reset' | 'disable' | 'resend'; id: string; name: string }
  | { kind: 'approve' | 'withdraw'; id: string; name: string };

const ranks: Record<OperatorRole, number> = { support: 0, finance: 1, admin: 2 };

/** What can be done about this operator now: nothing about oneself, and nothing but an invitation about who is disabled. */
export function actionsOf({ id, name, role, state, self }: ListedOperator): Action[] {
  if (self || state === 'disabled') return [];
  const roles = (['support', 'finance', 'admin'] as const).filter((other) => other !== role);
  return [
    ...(state === 'invited' ? [{ kind: 'resend', id, name } as const] : []),
    ...roles.map((other): Action => ({ kind: 'role', id, name, role: other, isHigher: ranks[other] > ranks[role] })),
    ...(state === 'invited' ? [] : [{ kind: 'reset', id, name } as const]),
    { kind: 'disable', id, name },
  ];
}

const reason = { label: 'Reason', hint: 'It stands in the audit log and in the mail to all operators.' };
const rule = 'Once two admins were there, a second one has to approve it, and 24 hours pass.';

export function actionWords(action: Action): DecisionWords {
  const { name } = action;
  switch (action.kind) {
    case 'role':
      return {
        button: `Make ${action.role}`,
        title: `Make ${name} ${action.role}`,
        text: action.isHigher ? `It gives more rights. ${rule}` : 'It takes effect at once, and all sign-ins end.',
        confirm: `Make ${action.role}`,
        busy: 'Saving',
        reason,
        otp: true,
        done: action.isHigher ? 'Proposed' : 'Role changed',
      };
    case 'reset':
      return {
        button: 'Reset password and app',
        title: `Reset ${name}`,
        text: `For a colleague without their password or app: both are taken away and a new invitation is mailed. ${rule}`,
        confirm: 'Reset',
        busy: 'Saving',
        danger: true,
        reason,
        otp: true,
        done: 'Reset proposed',
      };
    case 'disable':
      return {
        button: 'Disable',
        title: `Disable ${name}`,
        text: 'All sign-ins end at once, and no new one is possible. Only an invitation brings the account back.',
        confirm: 'Disable',
        busy: 'Disabling',
        danger: true,
        reason,
        otp: true,
        done: 'Operator disabled',
      };
    case 'resend':
      return {
        button: 'Mail a new link',
        title: `Invite ${name} again`,
        text: 'A new link is mailed, good for 48 hours. The old one is over.',
        confirm: 'Mail it',
        busy: 'Sending',
        otp: true,
        done: 'Invitation mailed',
      };
    case 'approve':
      return {
        button: 'Approve',
        title: `Approve: ${name}`,
        text: 'It is carried out by itself when its time has come.',
        confirm: 'Approve',
        busy: 'Approving',
        otp: true,
        done: 'Approved',
      };
    case 'withdraw':
      return {
        button: 'Withdraw',
        title: `Withdraw: ${name}`,
        text: 'Nothing changes then.',
        confirm: 'Withdraw it',
        busy: 'Saving',
        danger: true,
        otp: true,
        done: 'Withdrawn',
      };
  }
}

const kinds = { invite: 'New account', raise: 'Higher role', reset: 'Reset' } as const;

/** `New account: Olga Petrova, finance`. */
export const proposalWords = ({ kind, name, role }: OperatorProposal): string => `${kinds[kind]}: ${name}, ${role}`;
