import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../../core/login-id.ts';
import { invitedFromServerMail } from '../../core/operator-mails.ts';
import { insertInvited, lockDecisions } from './account-sql.ts';
import { sendInvitation } from './send-invitation.ts';
import { consoleUrl, tellOperators } from './tell-operators.ts';

/**
 * Invites an operator on the word of whoever runs the server: the way out when one admin is left and nobody can approve. No
 * call leads here. Whoever has the server has the database as well, so it asks for nobody else, but every operator is told.
 * Refusal: `operator_exists`.
 *
 * @returns the link, for when there is no mail server
 */
export async function inviteFromServer(
  context: Context,
  input: { readonly name: string; readonly email: string; readonly role: OperatorRole },
): Promise<{ url: string; expiresAt: Date }> {
  const { name, role } = input;
  const email = readLoginId(input.email).value;
  return inTransaction(context.db, async (tx) => {
    await lockDecisions(tx);
    const id = await insertInvited(tx, { email, name, role, now: context.now() });
    if (id === undefined) throw new Refused('operator_exists');
    const sent = await sendInvitation(context, tx, { id, email, name, role }, false);
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'operator.invite',
      subject: `operator:${id}`,
      after: { email, name, role, from: 'server' },
    });
    const proposal = { kind: 'invite', name, email, role, why: '' } as const;
    const mail = invitedFromServerMail(context.config.brandName, proposal, consoleUrl(context, 'operators'));
    await tellOperators(tx, mail, { everybody: true, ids: [] });
    return sent;
  });
}
