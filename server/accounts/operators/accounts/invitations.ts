import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { invitationEmail } from '../../core/operator-emails.ts';
import { invitationEnd } from '../../core/operator-rules.ts';
import { auditOwn } from '../../owner.ts';
import { refuseWeakPassword } from '../../passwords/password-guesser.ts';
import { hashPassword } from '../../passwords/passwords.ts';
import { beginOperatorSession, type SignedInOperator } from '../../sign-in/begin-session.ts';
import { findOperatorFactors, lockOperator, type Operator } from '../operator-sql.ts';
import { type AdminActor, consoleUrl, decideAboutOperators, findColleague } from './decide.ts';

type Input = {
  readonly token: string;
  readonly password: string;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Sets an invited operator's password and signs them in, only to set up their second factor. The link works once, also
 * concurrently; a weak password leaves it usable. Refuses `invitation_over`, `weak_password`.
 */
export async function acceptInvitation(context: Context, input: Input): Promise<SignedInOperator> {
  const { expiresAt: _, ...operator } = await getInvitation(context, input.token);
  await refuseWeakPassword(input.password, operator);
  const passwordHash = await hashPassword(input.password);
  return inTransaction(context.db, async (tx) => {
    // Locks the account first, as everything that ends an invitation does.
    const isSet = await insertPassword(tx, operator.id, passwordHash, context.now());
    const isOpen = isSet && (await deleteInvitation(tx, hashToken(input.token), context.now()));
    if (!isOpen) throw new Refused('invitation_over');
    await auditOwn(tx, { operatorId: operator.id }, 'operator.accept_invitation', { address: input.address });
    const factors = await findOperatorFactors(tx, operator.id);
    return beginOperatorSession(context, tx, operator, { ...input, secondFactor: null, factors });
  });
}

/** The invitation of an emailed link, which stays valid. Refuses `invitation_over`, whatever is wrong with it. */
export const getInvitation = async (context: Context, token: string): Promise<Invitation> =>
  orRefuse(await findInvitation(context.db, hashToken(token), context.now()), 'invitation_over');

/** Emails a link that works once within 48 hours and invalidates earlier ones. Returns the link. */
export async function sendInvitation(
  context: Context,
  tx: Tx,
  operator: Operator,
  isReset: boolean,
): Promise<{ url: string; expiresAt: Date }> {
  const token = makeToken();
  const expiresAt = invitationEnd(context.now());
  await upsertInvitation(tx, { tokenHash: hashToken(token), operatorId: operator.id, expiresAt });
  const url = `${consoleUrl(context, 'invitation')}#${token}`;
  await queueEmail(tx, {
    to: { name: operator.name, address: operator.email },
    ...invitationEmail(context.config.brandName, operator.role, url, expiresAt, isReset),
  });
  return { url, expiresAt };
}

/**
 * Emails a new link to the same address, for one that was lost or expired. Refuses what `findColleague` does,
 * `operator_not_invited` once a password was set, and what `decide` does.
 */
export function resendInvitation(context: Context, actor: AdminActor, operatorId: bigint): Promise<void> {
  return decideAboutOperators(context, actor, async (tx, by, now) => {
    // Waits for a concurrent acceptance of the previous link, and sees it.
    await lockOperator(tx, operatorId);
    const colleague = await findColleague(tx, by, operatorId, now);
    if (colleague.hasPassword) throw new Refused('operator_not_invited');
    const { expiresAt } = await sendInvitation(context, tx, colleague, false);
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'operator.resend_invitation',
      subject: `operator:${operatorId}`,
      after: { email: colleague.email, expiresAt },
    });
  });
}

export type Invitation = Operator & { readonly expiresAt: Date };

/** The newest link of an operator is the only one. */
export const upsertInvitation = (
  tx: Tx,
  draft: { readonly tokenHash: Buffer; readonly operatorId: bigint; readonly expiresAt: Date },
) =>
  execute(tx)`
    insert into identity.operator_invitation (token_hash, operator_id, expires_at)
    values (${draft.tokenHash}, ${draft.operatorId}, ${draft.expiresAt})
    on conflict (operator_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`;

export const findInvitation = (db: Db, tokenHash: Buffer, now: Date) =>
  findRow(db)<Invitation>`
    select o.id, o.email, o.name, o.role, i.expires_at as "expiresAt"
    from identity.operator_invitation i join identity.operator o on o.id = i.operator_id
    where i.token_hash = ${tokenHash} and i.expires_at > ${now} and o.disabled_at is null`;

/** Consumes a link: of two concurrent attempts one gets the row. */
export const deleteInvitation = (tx: Tx, tokenHash: Buffer, now: Date) =>
  hasRow(tx)`
    delete from identity.operator_invitation where token_hash = ${tokenHash} and expires_at > ${now} returning 1`;

/** Sets the first password of an account. */
export const insertPassword = (tx: Tx, id: bigint, passwordHash: string, now: Date) =>
  hasRow(tx)`
    update identity.operator set password_hash = ${passwordHash}, accepted_at = ${now}
    where id = ${id} and password_hash is null and disabled_at is null returning 1`;
