import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueEmail } from '#server/notify/index.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
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
    await auditOwn(tx, { operatorId: operator.id }, 'operator.accept_invitation', { address: input.address });
    const factors = await findOperatorFactors(tx, operator.id);
    return beginOperatorSession(context, tx, operator, { ...input, secondFactor: null, factors });
  });
}

/** Whom an emailed link invites, without using it up. Refusal: `invitation_over`, whatever is wrong with it. */
export async function getInvitation(context: Context, token: string): Promise<Invitation> {
  const invitation = await findInvitation(context.db, hashToken(token), context.now());
  if (invitation === undefined) throw new Refused('invitation_over');
  return invitation;
}

/** Emails a link that opens once within 48 hours; one emailed before is worth nothing any more. Returns the link. */
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
 * Emails a new link to the same address, for one that was lost or is over. Refusals: those of `findColleague`,
 * `operator_not_invited` once a password was set, those of `decide`.
 */
export function resendInvitation(context: Context, actor: AdminActor, operatorId: bigint): Promise<void> {
  return decideAboutOperators(context, actor, async (tx, by, now) => {
    // Whoever accepts the link before at this moment is waited for, and seen.
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

/** Uses a link up: of two at once, one gets the row. */
export const deleteInvitation = (tx: Tx, tokenHash: Buffer, now: Date) =>
  hasRow(tx)`
    delete from identity.operator_invitation where token_hash = ${tokenHash} and expires_at > ${now} returning 1`;

/** The first password of an account that has none. */
export const insertPassword = (tx: Tx, id: bigint, passwordHash: string, now: Date) =>
  hasRow(tx)`
    update identity.operator set password_hash = ${passwordHash}, accepted_at = ${now}
    where id = ${id} and password_hash is null and disabled_at is null returning 1`;
