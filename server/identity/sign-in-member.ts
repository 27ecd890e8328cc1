import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { notifyMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import { insertKnownDevice } from './auth-session-sql.ts';
import { beginSession } from './begin-session.ts';
import { describeDevice } from './core/device.ts';
import { readLoginId } from './core/login-id.ts';
import { newDeviceMail } from './core/mails.ts';
import { memberSessionLife } from './core/session-life.ts';
import { findMemberByCode, lockPassword, type Member } from './member-sql.ts';
import { verifyPassword } from './passwords.ts';

export type SignIn = {
  readonly loginId: string;
  readonly password: string;
  readonly remember?: boolean | undefined;
  readonly userAgent: string;
  readonly address: string;
};

/**
 * Signs a member in by Registered Id, in any case, and password. An unknown id is refused with the same words after
 * the same work as a wrong password, and counted alike; so is the company, which has no password. Frozen members may
 * sign in and read (product.md section 8).
 */
export async function signInMember(context: Context, input: SignIn): Promise<{ accessToken: string; member: Member }> {
  const now = context.now();
  const login = readLoginId(input.loginId).value;
  await countAttempt(context.db, 'sign_in', login, now);
  const member = await findMemberByCode(context.db, login);
  const isRight = await verifyPassword(member?.passwordHash, input.password);
  if (member === undefined || member.passwordHash === null || !isRight) {
    context.log.info({ memberId: member?.id.toString(), address: input.address }, 'sign-in refused');
    throw new Refused('wrong_login');
  }
  const { passwordHash } = member;
  const device = describeDevice(input.userAgent);
  const accessToken = await inTransaction(context.db, async (tx) => {
    // Between the check and here the password may have been changed, which ends all sign-ins: this one too.
    if (!(await lockPassword(tx, member.id, passwordHash))) throw new Refused('wrong_login');
    await forgetAttempts(tx, 'sign_in', login);
    const life = memberSessionLife(input.remember ?? false);
    const token = await beginSession(tx, { memberId: member.id }, { life, device, address: input.address, now });
    await tellNewDevice(context, tx, member, device);
    await writeAudit(tx, {
      actor: { kind: 'member', id: member.id },
      action: 'member.sign_in',
      subject: `member:${member.id}`,
      after: { device, remember: input.remember ?? false },
      address: input.address,
    });
    return token;
  });
  return { accessToken, member };
}

async function tellNewDevice(context: Context, tx: Tx, member: Member, device: string): Promise<void> {
  if (!(await insertKnownDevice(tx, member.id, device, context.now()))) return;
  const { brandName, supportEmail } = context.config;
  await notifyMember(tx, {
    memberId: member.id,
    kind: 'new_device',
    message: `New sign-in from ${device}. If this was not you, change your password.`,
    mail: newDeviceMail(brandName, member.referralCode, device, supportEmail),
  });
}
