import assert from 'node:assert';
import { otpRules } from '#contract/rules.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Tx } from '#server/db/connect.ts';
import { queueMail } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { emailCodeMail, type MailText, operationCodeMail } from '../core/mails.ts';
import { maskEmail } from '../core/mask-email.ts';
import { findMember, type Member } from '../members/member-sql.ts';
import { findWait } from '../sign-in/attempts.ts';
import { issueOtp, type OperationPurpose } from './one-time-password.ts';
import { findResendAt } from './otp-sql.ts';

const mailNames = { withdrawal: 'withdrawal', address: 'payout address' } as const;

/** An operation whose code is mailed to the member's own address. */
export type OperationOtp = Operation & {
  readonly purpose: keyof typeof mailNames;
  /** The same for the member to read, a part of a sentence: amount, wallet, network, the whole address in groups of four. */
  readonly what: string;
};

type Operation = {
  readonly memberId: bigint;
  readonly purpose: OperationPurpose;
  /** The whole operation in one form for the same operation: `useOtp` takes the code for exactly this text. */
  readonly details: string;
  readonly now: Date;
  /** Network address of the request. */
  readonly address?: string;
};

type SentOtp = { readonly sentTo: string; readonly expiresAt: Date; readonly resendAt: Date };

/**
 * Mails a code for exactly one operation, in place of the one before for this purpose (docs/product.md, section 8). It
 * goes out with the transaction, whether the mail server is there or not. Refusal: `too_many_requests` within a minute
 * of the last one, and over the number of codes of a day.
 *
 * @returns the address it goes to, masked, and its times
 */
export function sendOperationOtp(tx: Tx, operation: OperationOtp): Promise<SentOtp> {
  const { purpose, what } = operation;
  return mailOtp(tx, operation, ({ email, referralCode }, code, expiresAt) => ({
    to: email,
    ...operationCodeMail(mailNames[purpose], referralCode, what, code, expiresAt),
  }));
}

/** The same with a mail of its own, to an address of its own. */
async function mailOtp(
  tx: Tx,
  operation: Operation,
  write: (member: Member, code: string, expiresAt: Date) => MailText & { readonly to: string },
): Promise<SentOtp> {
  const { memberId, purpose, details, now } = operation;
  const member = await findMember(tx, memberId);
  assert(member !== undefined && member.email !== '', 'codes are mailed to members');
  const resendAt = new Date(now.getTime() + otpRules.resendSeconds * 1000);
  const expiresAt = new Date(now.getTime() + otpRules.ttlMinutes * 60_000);
  const code = await issueOtp(tx, { memberId, purpose, details, resendAt, expiresAt, now });
  if (code === undefined) throw await tooSoon(tx, operation);
  // Refused, the code is not made either: what is rolled back here is a code that nobody was sent.
  const wait = await findWait(tx, 'operation_code', memberId.toString(), now);
  if (wait !== undefined) throw new Refused('too_many_requests', { retryAfterSeconds: wait });
  const { to, ...mail } = write(member, code, expiresAt);
  await queueMail(tx, { memberId, to: { name: member.name, address: to }, kind: 'code', ...mail });
  await writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.mail_operation_code',
    subject: `member:${memberId}`,
    // Not a mail address: nothing is ever taken out of the log, and personal data goes with a closed account.
    after: purpose === 'email' ? { purpose } : { purpose, details },
    ...(operation.address === undefined ? {} : { address: operation.address }),
  });
  return { sentTo: maskEmail(to), expiresAt, resendAt };
}

async function tooSoon(tx: Tx, { memberId, purpose, now }: Operation): Promise<Refused> {
  const resendAt = (await findResendAt(tx, memberId, purpose)) ?? now;
  const seconds = Math.ceil((resendAt.getTime() - now.getTime()) / 1000);
  return new Refused('too_many_requests', { retryAfterSeconds: Math.max(1, seconds) });
}

/**
 * Mails a code to a mail address, the member's own or another one, that is bound to exactly this address: coming back it
 * shows that the member reads what arrives there. Refusals: `account_frozen`, `too_many_requests`.
 *
 * @param brandName as the mail is signed
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
  const member = await findMember(tx, rest.memberId);
  assert(member !== undefined, 'codes are mailed to members');
  if (member.frozenAt !== null) throw new Refused('account_frozen');
  return mailOtp(tx, { ...rest, purpose: 'email', details: email }, ({ referralCode }, code, expiresAt) => ({
    to: email,
    ...emailCodeMail(brandName, referralCode, email, code, expiresAt),
  }));
}
