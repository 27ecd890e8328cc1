import { otpRules } from '#contract/rules.ts';
import type { Tx } from '#server/db/connect.ts';
import { queueEmail } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import {
  addressCodeEmail,
  type EmailText,
  maskEmail,
  oldAddressCodeEmail,
  operationCodeEmail,
} from '../core/emails.ts';
import { findVerified, lockOwnAccount, type Member } from '../members/members.ts';
import { auditOwn } from '../owner.ts';
import { findWait } from '../sign-in/attempts.ts';
import { findResendAt, issueOtp, type OperationPurpose } from './one-time-password.ts';

/** An operation whose code is emailed to the member's own address. */
export type OperationOtp = Operation & {
  readonly purpose: Exclude<OperationPurpose, 'email' | 'old_email'>;
  /** `details` as a phrase for the member: amount, wallet, network, the whole address in groups of four. */
  readonly what: string;
};

type Operation = {
  readonly memberId: bigint;
  readonly purpose: OperationPurpose;
  /** The whole operation in canonical form: `consumeOtp` accepts the code for exactly this text. */
  readonly details: string;
  readonly now: Date;
  /** Network address of the request. */
  readonly address?: string;
};

type SentOtp = { readonly sentTo: string; readonly expiresAt: Date; readonly resendAt: Date };

/**
 * Emails a code for exactly one operation, replacing the previous one for this purpose (docs/product.md, section 8).
 * The email is queued in the transaction, so it does not need the email server. Refuses `too_many_requests` within a
 * minute of the last code, and beyond the daily number of codes.
 *
 * @returns the masked recipient and the times of the code
 */
export function sendOperationOtp(tx: Tx, operation: OperationOtp): Promise<SentOtp> {
  const { purpose, what } = operation;
  return emailOtp(tx, operation, ({ email, referralCode }, code, expiresAt) => ({
    to: email,
    ...operationCodeEmail(purpose, referralCode, what, code, expiresAt),
  }));
}

/** The same with a given email and recipient. */
async function emailOtp(
  tx: Tx,
  operation: Operation,
  write: (member: Member, code: string, expiresAt: Date) => EmailText & { readonly to: string },
): Promise<SentOtp> {
  const { memberId, purpose, details, now } = operation;
  const member = await lockOwnAccount(tx, memberId);
  const resendAt = new Date(now.getTime() + otpRules.resendSeconds * 1000);
  const expiresAt = new Date(now.getTime() + otpRules.ttlMinutes * 60_000);
  const code = await issueOtp(tx, { memberId, purpose, details, resendAt, expiresAt, now });
  if (code === undefined) throw await tooSoon(tx, operation);
  // A refusal rolls the code back, which is right: it was not sent.
  const wait = await findWait(tx, 'operation_code', memberId.toString(), now);
  if (wait !== undefined) throw new Refused('too_many_requests', { retryAfterSeconds: wait });
  const { to, ...mail } = write(member, code, expiresAt);
  const isOwn = to === member.email && (await findVerified(tx, [memberId])) !== undefined;
  const cap = isOwn ? {} : { kind: 'code' as const };
  await queueEmail(tx, { memberId, to: { name: member.name, address: to }, ...cap, ...mail });
  await auditOwn(tx, { memberId }, 'member.mail_operation_code', {
    // Without the address: log entries are never deleted, but personal data is when an account closes.
    after: purpose === 'email' || purpose === 'old_email' ? { purpose } : { purpose, details },
    address: operation.address,
  });
  return { sentTo: maskEmail(to), expiresAt, resendAt };
}

async function tooSoon(tx: Tx, { memberId, purpose, now }: Operation): Promise<Refused> {
  const resendAt = (await findResendAt(tx, memberId, purpose)) ?? now;
  const seconds = Math.ceil((resendAt.getTime() - now.getTime()) / 1000);
  return new Refused('too_many_requests', { retryAfterSeconds: Math.max(1, seconds) });
}

/**
 * Emails a code that is bound to an email address, the member's own or another one. Entering it proves that the member
 * reads this mailbox. For another address a second code goes to the current one, whose owner agrees to the change with
 * it, or is at least notified. Refuses `account_frozen`, `too_many_requests`.
 *
 * @param brandName signs the email
 */
export async function sendEmailOtp(
  tx: Tx,
  brandName: string,
  operation: {
    readonly memberId: bigint;
    readonly email: string;
    readonly now: Date;
    /** Network address of the request. */
    readonly address?: string;
  },
): Promise<SentOtp> {
  const { email, ...rest } = operation;
  const member = await lockOwnAccount(tx, rest.memberId);
  if (member.frozenAt !== null) throw new Refused('account_frozen');
  const sent = await emailOtp(
    tx,
    { ...rest, purpose: 'email', details: email },
    ({ referralCode }, code, expiresAt) => ({
      to: email,
      ...addressCodeEmail(brandName, referralCode, email, code, expiresAt),
    }),
  );
  if (email !== member.email) {
    await emailOtp(tx, { ...rest, purpose: 'old_email', details: email }, ({ referralCode }, code, expiresAt) => ({
      to: member.email,
      ...oldAddressCodeEmail(brandName, referralCode, email, code, expiresAt),
    }));
  }
  return sent;
}
