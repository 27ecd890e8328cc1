import assert from 'node:assert';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueMail } from '#server/notify/index.ts';
import { issueOtp } from '../codes/one-time-password.ts';
import { readLoginId } from '../core/login-id.ts';
import { resetCodesMail } from '../core/mails.ts';
import { listMembersByLogin, type Member } from '../members/member-sql.ts';
import { findWait } from '../sign-in/attempts.ts';
import { claimResetRequest } from './reset-sql.ts';

type Claimed = { readonly address: string; readonly resendAt: Date; readonly expiresAt: Date };

/**
 * *Forgot Password*, second half, a job to run right before mails are sent: mails a code to the account that was
 * meant, or by mail address one mail with a code for each account of it, beside its id. Each request is one transaction, so it is answered
 * once whatever stops the job; requests that waited longer than a code lives are dropped.
 *
 * @returns how many requests were taken
 */
export async function answerResetRequests(context: Context): Promise<number> {
  let taken = 0;
  while (await inTransaction(context.db, (tx) => answerNext(context, tx))) taken += 1;
  return taken;
}

async function answerNext(context: Context, tx: Tx): Promise<boolean> {
  const request = await claimResetRequest(tx);
  if (request === undefined) return false;
  if (request.expiresAt <= context.now()) return true;
  const members = await listMembersByLogin(tx, readLoginId(request.loginId));
  const issued: Issued[] = [];
  for (const member of members) {
    const code = await issueCode(context, tx, member, request);
    if (code !== undefined) issued.push({ member, code });
  }
  if (issued.length > 0) await mailCodes(context, tx, issued, request);
  return true;
}

type Issued = { readonly member: Member; readonly code: string };

/** Undefined while the member has to wait for the next code. */
async function issueCode(context: Context, tx: Tx, { id }: Member, request: Claimed): Promise<string | undefined> {
  const now = context.now();
  if ((await findWait(tx, 'reset_code', id.toString(), now)) !== undefined) return undefined;
  const { resendAt, expiresAt } = request;
  return issueOtp(tx, { memberId: id, purpose: 'reset_password', details: '', resendAt, expiresAt, now });
}

/** One mail, however many accounts its address has. */
async function mailCodes(context: Context, tx: Tx, issued: readonly Issued[], request: Claimed): Promise<void> {
  const [first, ...others] = issued.map(({ member }) => member);
  assert(first !== undefined, 'a mail carries a code');
  const codes = issued.map(({ member, code }) => ({ referralCode: member.referralCode, code }));
  await queueMail(tx, {
    ...(others.length === 0 ? { memberId: first.id } : {}),
    to: { name: first.name, address: first.email },
    kind: 'reset',
    ...resetCodesMail(context.config.brandName, codes, request.expiresAt),
  });
  for (const { member } of issued) {
    await writeAudit(tx, {
      actor: { kind: 'system', id: null },
      action: 'member.mail_reset_code',
      subject: `member:${member.id}`,
      address: request.address,
    });
  }
}
