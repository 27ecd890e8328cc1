import { english } from '#contract/texts.ts';
import type { Executor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { afterCommit } from '#server/db/tx.ts';
import { twoFactorEmail, twoFactorKeptEmail, twoFactorOffApprovedEmail } from '../core/emails.ts';
import { getMember } from '../members/members.ts';
import { deletePasskeys } from '../passkeys/passkeys.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { notifySecurity } from '../sign-in/notify-security.ts';
import { recordSecurityChange } from '../sign-in/record-security-change.ts';
import { deleteRecoveryCodes, hasSecondFactor } from './second-factor.ts';

/**
 * Turns two-factor authentication off for a member who lost every factor, by a proposal that two operators agreed on:
 * app, passkeys and recovery codes are removed, and all sign-ins end. The caller has locked the member.
 *
 * @param change `why` is for the audit log, not for the member
 * @returns false when it was off
 */
export async function turnOffTwoFactor(
  tx: Tx,
  context: Context,
  change: Executor & { readonly memberId: bigint; readonly why: string; readonly loosening: bigint },
): Promise<boolean> {
  const { memberId, why, loosening, actor, address } = change;
  if (!(await hasSecondFactor(tx, memberId))) return false;
  const { brandName, supportEmail } = context.config;
  const member = await getMember(tx, memberId);
  await execute(tx)`delete from identity.totp where member_id = ${memberId}`;
  await deletePasskeys(tx, { memberId });
  await deleteRecoveryCodes(tx, memberId);
  const ended = await recordSecurityChange(context, tx, member, {
    keepSession: null,
    action: 'member.disable_second_factor',
    kind: 'second_factor_off',
    message: english.t`Two-factor authentication is off. All devices were signed out.`,
    mail: twoFactorEmail(brandName, member.referralCode, 'offForMember', supportEmail),
    address,
    actor,
    logged: { why, loosening },
  });
  afterCommit(tx, () => evictCallers(context, ended));
  return true;
}

/** Notifies the member that it will be turned off at this instant, or that it stays on. */
export async function notifyTwoFactorOff(
  tx: Tx,
  context: Context,
  memberId: bigint,
  plan: { readonly dueAt: Date } | 'stays on',
): Promise<void> {
  if (!(await hasSecondFactor(tx, memberId))) return;
  const { brandName, supportEmail } = context.config;
  const { referralCode } = await getMember(tx, memberId);
  if (plan === 'stays on')
    return notifySecurity(context, tx, {
      memberId,
      kind: 'second_factor_kept',
      message: english.t`Two-factor authentication stays on.`,
      mail: twoFactorKeptEmail(brandName, referralCode, supportEmail),
    });
  const when = `${plan.dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return notifySecurity(context, tx, {
    memberId,
    kind: 'second_factor_ending',
    message: english.t`Two-factor authentication will be turned off on ${when}, unless you sign in with it before.`,
    mail: twoFactorOffApprovedEmail(brandName, referralCode, when, supportEmail),
  });
}

/** When a member last added or used an app or a passkey; null if never. App codes count to their half minute. */
export const findFactorUse = async (db: Db, memberId: bigint): Promise<Date | null> =>
  (
    await getRow(db)<{ readonly at: Date | null }>`
      select max(at) as at from (
        select greatest(confirmed_at, to_timestamp(last_step * 30)) as at from identity.totp
        where member_id = ${memberId} and confirmed_at is not null
        union all
        select greatest(created_at, last_used_at) from identity.passkey where member_id = ${memberId}) as used`
  ).at;
