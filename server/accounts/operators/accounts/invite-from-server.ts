import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { readLoginId } from '../../core/login-id.ts';
import { invitedFromServerEmail } from '../../core/operator-emails.ts';
import { lockOperatorByEmail, type Operator } from '../operator-sql.ts';
import { findAccountByEmail, insertInvited, lockDecisions } from './account-sql.ts';
import { consoleUrl, notifyOperators } from './decide.ts';
import { sendInvitation } from './invitations.ts';
import { proposeResetFromServer } from './operator-change.ts';

/** The emailed link, for installations without an email server; or when the account will be reset. */
export type InvitedFromServer =
  | { readonly url: string; readonly expiresAt: Date }
  | { readonly resetAt: Date; readonly name: string };

/**
 * Invites an operator from the command line of the server, for when only one admin remains or somebody lost passkey and
 * app. No API call does this. It needs no approval, because access to the server includes the database, but every
 * operator is notified.
 *
 * - A new or disabled account is invited immediately.
 * - A pending invitation gets a new link.
 * - An active account is reset after 24 hours, in which any admin can stop it, including its owner.
 *
 * Refuses `operator_exists` for an account with another role, `proposal_waiting` while a change of it is open.
 */
export function inviteFromServer(
  context: Context,
  input: { readonly name: string; readonly email: string; readonly role: OperatorRole },
): Promise<InvitedFromServer> {
  const { name, role } = input;
  const email = readLoginId(input.email).value;
  return inTransaction(context.db, async (tx) => {
    await lockDecisions(tx);
    // Waits for a concurrent acceptance of a link, and sees it.
    await lockOperatorByEmail(tx, email);
    const now = context.now();
    const found = await findAccountByEmail(tx, email, now);
    if (found === undefined || found.disabledAt !== null) {
      const id = orRefuse(await insertInvited(tx, found?.id ?? null, { email, name, role, now }), 'operator_exists');
      return sendFromServer(tx, context, { id, email, name, role }, 'operator.invite');
    }
    if (found.role !== role) throw new Refused('operator_exists');
    if (!found.hasPassword) return sendFromServer(tx, context, found, 'operator.resend_invitation');
    return { resetAt: await proposeResetFromServer(tx, context, found), name: found.name };
  });
}

async function sendFromServer(
  tx: Tx,
  context: Context,
  { id, email, name, role }: Operator,
  action: 'operator.invite' | 'operator.resend_invitation',
): Promise<InvitedFromServer> {
  const sent = await sendInvitation(context, tx, { id, email, name, role }, false);
  await writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action,
    subject: `operator:${id}`,
    after: { email, name, role, from: 'server' },
  });
  const proposal = { kind: 'invite', name, email, role, why: '' } as const;
  const mail = invitedFromServerEmail(context.config.brandName, proposal, consoleUrl(context, 'operators'));
  await notifyOperators(tx, mail, { everybody: true, ids: [] });
  return sent;
}
