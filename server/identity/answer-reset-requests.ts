import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { queueMail } from '#server/notify/index.ts';
import { findWait } from './attempts.ts';
import { readLoginId } from './core/login-id.ts';
import { resetCodeMail } from './core/mails.ts';
import { listMembersByLogin, type Member } from './member-sql.ts';
import { issueOtp } from './one-time-password.ts';
import { claimResetRequest } from './reset-sql.ts';

type Claimed = { readonly address: string; readonly resendAt: Date; readonly expiresAt: Date };

/**
 * *Forgot Password*, second half, a job to run right before mails are sent: mails a code to the account that was
 * meant, or by mail address to each account of it, with its id. Each request is one transaction, so it is answered
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
  for (const member of members) await mailCode(context, tx, member, request);
  return true;
}

async function mailCode(context: Context, tx: Tx, member: Member, request: Claimed): Promise<void> {
  const now = context.now();
  if ((await findWait(tx, 'reset_code', member.id.toString(), now)) !== undefined) return;
  const { resendAt, expiresAt } = request;
  const code = await issueOtp(tx, {
    memberId: member.id,
    purpose: 'reset_password',
    details: '',
    resendAt,
    expiresAt,
    now,
  });
  if (code === undefined) return;
  await queueMail(tx, {
    memberId: member.id,
    to: { name: member.name, address: member.email },
    ...resetCodeMail(context.config.brandName, member.referralCode, code, expiresAt),
  });
  await writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action: 'member.mail_reset_code',
    subject: `member:${member.id}`,
    address: request.address,
  });
}
