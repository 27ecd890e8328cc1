import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { notifyMember } from '#server/notify/index.ts';
import { describeDevice } from '../core/device.ts';
import { newDeviceMail } from '../core/mails.ts';
import { memberSessionLife } from '../core/session-life.ts';
import type { Member } from '../members/member-sql.ts';
import { insertKnownDevice } from './auth-session-sql.ts';
import { beginSession } from './begin-session.ts';

export type SignedInMember = { readonly accessToken: string; readonly member: Member };

/** The end of every way of a member's sign-in: a session, a line in the audit log, and the word about a new device. */
export async function beginMemberSession(
  context: Context,
  tx: Tx,
  member: Member,
  given: {
    readonly remember: boolean;
    readonly secondFactor: 'app' | 'recovery_code' | null;
    readonly userAgent: string;
    readonly address: string;
  },
): Promise<SignedInMember> {
  const { remember, secondFactor, address } = given;
  const device = describeDevice(given.userAgent);
  const session = { life: memberSessionLife(remember), device, address, now: context.now() };
  const accessToken = await beginSession(tx, { memberId: member.id }, session);
  await tellNewDevice(context, tx, member, device);
  await writeAudit(tx, {
    actor: { kind: 'member', id: member.id },
    action: 'member.sign_in',
    subject: `member:${member.id}`,
    after: { device, remember, secondFactor },
    address,
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
