import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { refuseWeakPassword } from '../../passwords/password-guesser.ts';
import { hashPassword } from '../../passwords/passwords.ts';
import { hashToken } from '../../secrets.ts';
import { beginOperatorSession, type SignedInOperator } from '../../sign-in/begin-session.ts';
import { deleteInvitation, findInvitation, type Invitation, insertPassword } from './invitation-sql.ts';

type Input = {
  readonly token: string;
  readonly password: string;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Sets the password of who was invited and signs them in, for nothing but the set-up of their second factor. The link works
 * once: of two at the same moment one is refused; a password that is too weak leaves it usable. Refusals:
 * `invitation_over`, `weak_password`.
 */
export async function acceptInvitation(context: Context, input: Input): Promise<SignedInOperator> {
  const { expiresAt: _, ...operator } = await getInvitation(context, input.token);
  await refuseWeakPassword(input.password, operator);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(context.db, async (tx) => {
    // The account first, as everybody does who ends an invitation.
    const isSet = await insertPassword(tx, operator.id, passwordHash, context.now());
    const isOpen = isSet && (await deleteInvitation(tx, hashToken(input.token), context.now()));
    if (!isOpen) throw new Refused('invitation_over');
    await writeAudit(tx, {
      actor: { kind: 'operator', id: operator.id },
      action: 'operator.accept_invitation',
      subject: `operator:${operator.id}`,
      address: input.address,
    });
    return beginOperatorSession(context, tx, operator, { ...input, secondFactor: false });
  });
}

/** Whom a mailed link invites, without using it up. Refusal: `invitation_over`, whatever is wrong with it. */
export async function getInvitation(context: Context, token: string): Promise<Invitation> {
  const invitation = await findInvitation(context.db, hashToken(token), context.now());
  if (invitation === undefined) throw new Refused('invitation_over');
  return invitation;
}
