import assert from 'node:assert';
import { type Actor, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { doneMail } from '../../core/operator-mails.ts';
import { isGuarded } from '../../core/operator-rules.ts';
import { deleteOperatorSessions } from '../../sign-in/auth-session-sql.ts';
import { deleteOperatorChallenges } from '../../sign-in/sign-in-challenge-sql.ts';
import { findOperatorRow, updateAdminAt } from '../operator-sql.ts';
import { deleteCredentials, findAccount, insertInvited, updateRole } from './account-sql.ts';
import { consoleUrl } from './console-url.ts';
import { type Proposal, updateDone, updateWithdrawn } from './proposal-sql.ts';
import { sendInvitation } from './send-invitation.ts';
import { tellOperators } from './tell-operators.ts';
import { withdrawAllOf } from './withdraw-proposal.ts';

/** Who carries a proposal out: the admin with whose word it is whole, or the system when its day is over. */
export type Carrier = { readonly actor: Actor; readonly address?: string };

/**
 * Does what a proposal asks for, in the transaction that ends it, under the lock of decisions.
 *
 * @returns hashes of the tokens that ended, for the cache of callers
 */
export async function carryOut(context: Context, tx: Tx, proposal: Proposal, carrier: Carrier): Promise<Buffer[]> {
  if (proposal.kind === 'invite') {
    await invite(context, tx, proposal, carrier);
    return [];
  }
  return proposal.kind === 'raise' ? raise(context, tx, proposal, carrier) : reset(context, tx, proposal, carrier);
}

async function invite(context: Context, tx: Tx, proposal: Proposal, carrier: Carrier): Promise<void> {
  const { email, name, role } = proposal;
  const now = context.now();
  const id = await insertInvited(tx, { email, name, role, now });
  if (id === undefined) {
    // Whoever runs the server made this account meanwhile.
    await updateWithdrawn(tx, proposal.id, null, now);
    return write(tx, 'operator.withdraw_proposal', `operator_proposal:${proposal.id}`, { email }, carrier);
  }
  await sendInvitation(context, tx, { id, email, name, role }, false);
  await write(tx, 'operator.invite', `operator:${id}`, { email, name, role, proposalId: proposal.id }, carrier);
  await finish(context, tx, proposal, id);
}

async function raise(context: Context, tx: Tx, proposal: Proposal, carrier: Carrier): Promise<Buffer[]> {
  const { id, operator } = await findTarget(context, tx, proposal);
  await updateRole(tx, id, proposal.role);
  if (operator.hasSecondFactor) await updateAdminAt(tx, id, context.now());
  const ended = await endSignIns(tx, id);
  const after = { role: proposal.role, proposalId: proposal.id, endedSessions: ended.length };
  await write(tx, 'operator.change_role', `operator:${id}`, after, carrier, { role: operator.role });
  await finish(context, tx, proposal, id);
  return ended;
}

async function reset(context: Context, tx: Tx, proposal: Proposal, carrier: Carrier): Promise<Buffer[]> {
  const { id, operator } = await findTarget(context, tx, proposal);
  await deleteCredentials(tx, id);
  const ended = await endSignIns(tx, id);
  await sendInvitation(context, tx, operator, true);
  await write(
    tx,
    'operator.reset',
    `operator:${id}`,
    { proposalId: proposal.id, endedSessions: ended.length },
    carrier,
  );
  await finish(context, tx, proposal, id);
  // Whoever has the phone that was lost may have proposed or approved something meanwhile.
  const { actor, address } = carrier;
  assert(actor.kind === 'operator' && address !== undefined, 'a reset is carried out with the word of an admin');
  const by = await findOperatorRow(tx, actor.id);
  assert(by !== undefined, 'whoever decides has an account');
  await withdrawAllOf(context, tx, id, { by, address });
  return ended;
}

/** Disabling an operator takes back what waits for them, so that there is always somebody to carry it out on. */
async function findTarget(context: Context, tx: Tx, { id: proposalId, operatorId }: Proposal) {
  assert(operatorId !== null, `proposal ${proposalId} is about nobody`);
  const operator = await findAccount(tx, operatorId, context.now());
  assert(operator !== undefined && operator.disabledAt === null, `proposal ${proposalId} is about a disabled operator`);
  return { id: operatorId, operator };
}

/** All sign-ins of an operator, and those that wait for their code. */
export async function endSignIns(tx: Tx, operatorId: bigint): Promise<Buffer[]> {
  const ended = await deleteOperatorSessions(tx, operatorId, null);
  await deleteOperatorChallenges(tx, operatorId);
  return ended;
}

async function finish(context: Context, tx: Tx, proposal: Proposal, operatorId: bigint): Promise<void> {
  await updateDone(tx, proposal.id, operatorId, context.now());
  const mail = doneMail(context.config.brandName, proposal, consoleUrl(context, 'operators'));
  await tellOperators(tx, mail, { everybody: isGuarded(proposal.role), ids: [proposal.proposedBy] });
}

async function write(
  tx: Tx,
  action: string,
  subject: string,
  after: unknown,
  carrier: Carrier,
  before?: unknown,
): Promise<void> {
  await writeAudit(tx, { ...carrier, action, subject, after, ...(before === undefined ? {} : { before }) });
}
