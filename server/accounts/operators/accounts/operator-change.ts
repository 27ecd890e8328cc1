import assert from 'node:assert';
import type { OperatorRole } from '#contract/endpoint.ts';
import {
  approveProposal,
  type Executor,
  executeDue,
  type OperatorActor,
  type Proposal,
  type ProposalKind,
  propose,
  withdrawAllOf,
  withdrawProposal,
} from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../../core/login-id.ts';
import {
  approvedEmail,
  doneEmail,
  type EmailedProposal,
  proposedEmail,
  resetFromServerEmail,
  withdrawnEmail,
} from '../../core/operator-emails.ts';
import { isGuarded, needsSecondAdmin, waitMsOf } from '../../core/operator-rules.ts';
import { endSignIns } from '../end-sign-ins.ts';
import { endLegalConfirmation } from '../legal/legal-confirmation.ts';
import { findOperator, type Operator, updateAdminAt } from '../operator-sql.ts';
import { operators } from '../operators.ts';
import {
  deleteCredentials,
  findAccount,
  findAccountByEmail,
  hadTwoAdmins,
  insertInvited,
  lockDecisions,
  type OperatorAccount,
  updateRole,
} from './account-sql.ts';
import { type AdminActor, consoleUrl, decideAboutOperators, findColleague, notifyOperators } from './decide.ts';
import { sendInvitation } from './invitations.ts';

type Payload = Omit<EmailedProposal, 'why'> & {
  /** Requested on the server's command line; `proposedBy` is then the operator it is about. */
  readonly from?: 'server';
};
export type OperatorChange = Proposal<Payload>;

/**
 * A change to an operator account that an admin proposes (docs/product.md, section 10). Once there have been two
 * admins, every reset and every finance or admin account needs a second one, who is neither the proposer nor the
 * operator it is about. A reset is executed on approval; an account or a higher role 24 hours later, until when any
 * admin can stop it.
 */
export const operatorChangeKind: ProposalKind<Payload> = {
  name: 'operator',
  subject: 'operator_proposal',
  action: (verb) => (verb === 'propose' ? 'operator.propose' : `operator.${verb}_proposal`),
  logged: ({ operatorId, payload: { kind, email, role } }) => ({ kind, operatorId, email, role }),
  roles: ['admin'],
  operators,
  refusals: { missing: 'proposal_not_found', decided: 'proposal_not_waiting', ended: 'proposal_ended' },
  lock: lockDecisions,
  refuseApprover: async (_tx, { operatorId }, approverId) => {
    if (operatorId === approverId) throw new Refused('own_proposal');
  },
  waitMs: ({ payload }) => waitMsOf(payload.kind),
  withdrawnBy: 'anybody',
  execute: async (tx, context, proposal, executor) => {
    const { payload, proposedBy } = proposal;
    const operatorId = await changes[payload.kind](tx, context, proposal, executor);
    if (operatorId === undefined) return undefined;
    const mail = doneEmail(context.config.brandName, mailed(proposal), consoleUrl(context, 'operators'));
    await notifyOperators(tx, mail, { everybody: isGuarded(payload.role), ids: [proposedBy] });
    return { resultId: operatorId };
  },
  notify: async (tx, context, event, proposal, byId) => {
    const { operatorId, needsApproval, proposedBy, dueAt, payload } = proposal;
    const { brandName } = context.config;
    const by = byId === null ? 'The system' : ((await findOperator(tx, byId))?.name ?? '');
    const url = consoleUrl(context, 'operators');
    const isForAll = isGuarded(payload.role) || payload.kind === 'reset';
    if (event === 'proposed' && payload.from === 'server') {
      const mail = resetFromServerEmail(brandName, mailed(proposal), dueAt as Date, url);
      await notifyOperators(tx, mail, everybody(operatorId));
    } else if (event === 'proposed' && isForAll) {
      await notifyOperators(tx, proposedEmail(brandName, by, mailed(proposal), needsApproval, url), everybody());
    }
    if (event === 'approved') {
      const waitsUntil = waitMsOf(payload.kind) > 0 ? (dueAt as Date) : undefined;
      const mail = approvedEmail(brandName, by, mailed(proposal), waitsUntil, url);
      await notifyOperators(tx, mail, everybody(operatorId));
    }
    if (event === 'withdrawn') {
      const mail = withdrawnEmail(brandName, by, mailed(proposal));
      await notifyOperators(tx, mail, { everybody: isForAll, ids: [proposedBy] });
    }
  },
};

const everybody = (...ids: (bigint | null)[]) => ({ everybody: true, ids: ids.filter((id) => id !== null) });
const mailed = ({ payload, reason }: OperatorChange): EmailedProposal => ({ ...payload, why: reason });

/**
 * Records a proposal and executes it at once if it needs no approval. The caller holds the decision lock. Refuses
 * `proposal_waiting` while another one about the same account is open.
 */
export async function proposeChange(
  tx: Tx,
  context: Context,
  actor: OperatorActor,
  { operatorId = null, why, ...payload }: Payload & { readonly operatorId?: bigint | null; readonly why: string },
): Promise<OperatorChange> {
  const needsApproval = needsSecondAdmin(payload, await hadTwoAdmins(tx));
  return propose(tx, context, operatorChangeKind, actor, { operatorId, payload, reason: why, needsApproval });
}

/**
 * A reset requested on the server: it needs no approval, but waits 24 hours, in which any admin can stop it. The caller
 * holds the decision lock. Refuses `proposal_waiting`.
 *
 * @returns when it is executed
 */
export async function proposeResetFromServer(
  tx: Tx,
  context: Context,
  { id, name, email, role }: Operator,
): Promise<Date> {
  const dueAt = new Date(context.now().getTime() + waitMsOf('raise'));
  const payload = { kind: 'reset', name, email, role, from: 'server' } as const;
  await propose(
    tx,
    context,
    operatorChangeKind,
    { operatorId: id, address: '' },
    {
      operatorId: id,
      payload,
      reason: 'Requested on the command line of the server.',
      needsApproval: false,
      dueAt,
      executor: { actor: { kind: 'system', id: null } },
    },
  );
  return dueAt;
}

/**
 * Invites an operator, or restores a disabled account. Refuses `operator_exists`, `proposal_waiting`, and what `decide`
 * does.
 */
export function inviteOperator(
  context: Context,
  actor: AdminActor,
  input: { readonly name: string; readonly email: string; readonly role: OperatorRole; readonly why: string },
): Promise<OperatorChange> {
  const { name, role, why } = input;
  const email = readLoginId(input.email).value;
  return decideAboutOperators(context, actor, async (tx, _by, now) => {
    const found = await findAccountByEmail(tx, email, now);
    if (found !== undefined && found.disabledAt === null) throw new Refused('operator_exists');
    const operatorId = found?.id ?? null;
    return proposeChange(tx, context, actor, { kind: 'invite', operatorId, name, email, role, why });
  });
}

/**
 * Resets an operator who lost the password or the authenticator app: credentials are deleted, all sign-ins end and a
 * new invitation is emailed. Once there have been two admins it needs a second one, or one could take over any account.
 * Refuses what `findColleague` does, `proposal_waiting`, and what `decide` does.
 */
export const resetOperator = (
  context: Context,
  actor: AdminActor,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<OperatorChange> =>
  decideAboutOperators(context, actor, async (tx, by, now) => {
    const { name, email, role } = await findColleague(tx, by, operatorId, now);
    return proposeChange(tx, context, actor, { kind: 'reset', operatorId, name, email, role, why });
  });

export const approveOperatorChange = (context: Context, { otp, ...actor }: AdminActor, id: bigint) =>
  approveProposal(context, operatorChangeKind, actor, { id, otp });

export const withdrawOperatorChange = (context: Context, { otp, ...actor }: AdminActor, id: bigint) =>
  withdrawProposal(context, operatorChangeKind, actor, { id, otp });

/** Job: executes changes that were approved 24 hours ago. */
export const executeDueOperatorChanges = (context: Context): Promise<number> => executeDue(context, operatorChangeKind);

/**
 * Withdraws the proposals of an operator who is disabled, lowered or reset: about them, proposed or approved by them.
 */
export const withdrawChangesOf = (
  tx: Tx,
  context: Context,
  operatorId: bigint,
  actor: OperatorActor | null,
  executedId?: bigint,
): Promise<void> => withdrawAllOf(tx, context, operatorChangeKind, operatorId, actor, executedId);

type Change = (tx: Tx, context: Context, proposal: OperatorChange, executor: Executor) => Promise<bigint | undefined>;

/** Each returns the operator's id, or undefined if it can no longer be executed. */
const changes: Record<Payload['kind'], Change> = {
  invite: async (tx, context, { id: proposalId, operatorId, payload: { email, name, role } }, executor) => {
    const id = await insertInvited(tx, operatorId, { email, name, role, now: context.now() });
    // The account was created from the server meanwhile, and perhaps disabled.
    if (id === undefined) return undefined;
    await sendInvitation(context, tx, { id, email, name, role }, false);
    const after = { email, name, role, proposalId };
    await writeAudit(tx, { ...executor, action: 'operator.invite', subject: `operator:${id}`, after });
    return id;
  },
  raise: async (tx, context, proposal, executor) => {
    const { id, role: before, hasSecondFactor } = await findTarget(tx, context, proposal);
    const { role } = proposal.payload;
    await updateRole(tx, id, role);
    if (hasSecondFactor) await updateAdminAt(tx, id, context.now());
    const endedSessions = await endSignIns(tx, context, id);
    await writeAudit(tx, {
      ...executor,
      action: 'operator.change_role',
      subject: `operator:${id}`,
      before: { role: before },
      after: { role, proposalId: proposal.id, endedSessions },
    });
    return id;
  },
  reset: async (tx, context, proposal, { actor, address }) => {
    const operator = await findTarget(tx, context, proposal);
    const { id } = operator;
    await deleteCredentials(tx, id);
    await endLegalConfirmation(tx, id, { actor, address, why: 'reset' });
    const endedSessions = await endSignIns(tx, context, id);
    await sendInvitation(context, tx, operator, true);
    const after = { proposalId: proposal.id, endedSessions };
    await writeAudit(tx, {
      actor,
      address,
      action: 'operator.reset',
      subject: `operator:${id}`,
      after,
    });
    // A thief of the lost phone may have proposed or approved something.
    const by = actor.kind === 'operator' && address !== undefined ? { operatorId: actor.id, address } : null;
    await withdrawChangesOf(tx, context, id, by, proposal.id);
    return id;
  },
};

/** Disabling an operator withdraws proposals about them, so the target of an open one is always active. */
async function findTarget(tx: Tx, context: Context, { id, operatorId }: OperatorChange): Promise<OperatorAccount> {
  assert(operatorId !== null, `proposal ${id} is about nobody`);
  const operator = await findAccount(tx, operatorId, context.now());
  assert(operator !== undefined && operator.disabledAt === null, `proposal ${id} is about a disabled operator`);
  return operator;
}
