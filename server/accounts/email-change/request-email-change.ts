import { english } from '#contract/texts.ts';
import { type Executor, endProposalsAbout, plainKind } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { claimOtpTry, consumeOtp } from '../codes/one-time-password.ts';
import { emailRequestEndedEmail, emailRequestedEmail, maskEmail } from '../core/emails.ts';
import { lockAnyMember } from '../members/members.ts';
import { auditOwn } from '../owner.ts';
import { type Confirmation, checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';
import { consumeSecondFactor, precheckSecondFactor } from '../two-factor/second-factor.ts';

export type EmailChangePayload = { readonly requestId: string };

/** How the audit log names these proposals. */
export const emailChangeFrame = { ...plainKind('email_change'), subject: 'email_change' } as const;

type Input = Confirmation & { readonly email: string; readonly otp: string };

/**
 * Requests an email change without the old mailbox, with password, second factor and a code from the new mailbox. It
 * takes two operators and seven days (docs/product.md, section 8); until it is executed or withdrawn, no withdrawal
 * passes the payout guard. Both addresses are notified. Refuses `account_frozen`, `validation` for the current address,
 * `email_request_waiting`, `wrong_password`, `second_factor_required`, `wrong_second_factor`, `wrong_otp`,
 * `too_many_requests`.
 */
export async function requestEmailChange(context: Context, { memberId }: MemberCaller, input: Input): Promise<void> {
  const { db } = context;
  const now = context.now();
  const { email, otp, address } = input;
  const before = await checkOwnPassword(context, memberId, input.password);
  if (before.frozenAt !== null) throw new Refused('account_frozen');
  if (before.email === email)
    throw new Refused('validation', { field: 'email', reason: english.t`This is your current address.` });
  if ((await findEmailRequest(db, memberId)) !== undefined) throw new Refused('email_request_waiting');
  await precheckSecondFactor(context, memberId, input.secondFactor);
  if (!(await claimOtpTry(db, { memberId, purpose: 'email', now }))) throw new Refused('wrong_otp');
  await inTransaction(db, async (tx) => {
    const member = await lockConfirmed(tx, before);
    if (member.frozenAt !== null) throw new Refused('account_frozen');
    await consumeSecondFactor(context, tx, memberId, input.secondFactor);
    if (!(await consumeOtp(tx, { memberId, purpose: 'email', details: email, otp, now })))
      throw new Refused('wrong_otp');
    const id = orRefuse(await insertEmailRequest(tx, { memberId, email, now }), 'email_request_waiting');
    await auditOwn(tx, { memberId }, 'member.request_email_change', { after: { request: id }, address });
    await notifySecurity(context, tx, {
      memberId,
      kind: 'email_change_requested',
      message: english.t`A change of your email address was requested. Withdrawals are stopped meanwhile.`,
      mail: emailRequestedEmail(maskEmail(email)),
      alsoTo: email,
    });
  });
}

/** Withdraws the member's request, from any signed-in device. Refuses `not_found`. */
export async function withdrawEmailRequest(
  context: Context,
  { memberId }: MemberCaller,
  address: string,
): Promise<void> {
  const executor: Executor = { actor: { kind: 'member', id: memberId }, address };
  await inTransaction(context.db, async (tx) => {
    if (!(await endEmailRequest(tx, context, { memberId, outcome: 'withdrawn', executor }))) {
      throw new Refused('not_found');
    }
  });
}

/**
 * Ends a member's open request without a change, withdraws its proposals and notifies both addresses; withdrawals
 * continue unless something else blocks them. Locks the member first, as every decision does.
 *
 * @returns false if there was none
 */
export async function endEmailRequest(
  tx: Tx,
  context: Context,
  end: {
    readonly memberId: bigint;
    readonly outcome: Exclude<EmailRequestOutcome, 'changed'>;
    readonly executor: Executor;
    /** For the audit log. */
    readonly why?: string;
  },
): Promise<boolean> {
  const { memberId, outcome, executor, why } = end;
  const now = context.now();
  await lockAnyMember(tx, memberId);
  const request = await findEmailRequest(tx, memberId);
  if (request === undefined) return false;
  await endProposalsAbout<EmailChangePayload>(tx, emailChangeFrame, { memberId, isMoot: () => true, executor, now });
  await updateEnded(tx, request.id, outcome, now);
  await writeAudit(tx, {
    ...executor,
    action: 'member.end_email_change',
    subject: `member:${memberId}`,
    after: { request: request.id, outcome, why },
  });
  await notifySecurity(context, tx, {
    memberId,
    kind: 'email_change_ended',
    message:
      outcome === 'withdrawn'
        ? english.t`The requested change of your email address was withdrawn.`
        : english.t`Our team declined the requested change of your email address.`,
    mail: emailRequestEndedEmail(outcome),
    alsoTo: request.email,
  });
  return true;
}

/** An open request for an email change without the old mailbox. */
type EmailRequest = {
  readonly id: bigint;
  readonly memberId: bigint;
  readonly email: string;
  readonly requestedAt: Date;
};

type EmailRequestOutcome = 'changed' | 'withdrawn' | 'rejected';

/** Undefined while another request of the member is open. */
export const insertEmailRequest = (
  tx: Tx,
  draft: { readonly memberId: bigint; readonly email: string; readonly now: Date },
) =>
  findValue(tx)<bigint>`
    insert into identity.email_request (member_id, email, requested_at)
    values (${draft.memberId}, ${draft.email}, ${draft.now})
    on conflict (member_id) where ended_at is null do nothing returning id`;

export const findEmailRequest = (db: Db, memberId: bigint) =>
  findRow(db)<EmailRequest>`
    select id, member_id as "memberId", email, requested_at as "requestedAt"
    from identity.email_request where member_id = ${memberId} and ended_at is null`;

/** Open requests of these members, or all, oldest first. */
export const listEmailRequests = (db: Db, memberIds?: readonly bigint[]) =>
  listRows(db)<EmailRequest>`
    select id, member_id as "memberId", email, requested_at as "requestedAt"
    from identity.email_request
    where ended_at is null and (${memberIds ?? null}::bigint[] is null or member_id = any(${memberIds ?? null}::bigint[]))
    order by id limit 200`;

/** The addresses of these requests, ended or not; null once the account is closed. */
export const listRequestedEmails = (db: Db, ids: readonly bigint[]) =>
  listRows(db)<{ id: bigint; email: string | null }>`
    select id, email from identity.email_request where id = any(${ids}::bigint[])`;

export const updateEnded = (tx: Tx, id: bigint, outcome: EmailRequestOutcome, now: Date) =>
  execute(tx)`
    update identity.email_request set ended_at = ${now}, outcome = ${outcome} where id = ${id} and ended_at is null`;

/** Deletes the requested addresses when the account is closed. */
export const blankEmailRequests = (tx: Tx, memberId: bigint) =>
  execute(tx)`update identity.email_request set email = null where member_id = ${memberId}`;
