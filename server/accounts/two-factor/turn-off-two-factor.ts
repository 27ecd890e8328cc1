import { writeMinute } from '#contract/day-text.ts';
import { english } from '#contract/texts.ts';
import type { Executor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { afterCommit } from '#server/db/tx.ts';
import { twoFactorEmail, twoFactorOffApprovedEmail } from '../core/emails.ts';
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
  await execute(tx)`delete from identity.totp where member_id = ${memberId}`;
  await deletePasskeys(tx, { memberId });
  await deleteRecoveryCodes(tx, memberId);
  const ended = await recordSecurityChange(
    context,
    tx,
    { id: memberId },
    {
      keepSession: null,
      action: 'member.disable_second_factor',
      kind: 'second_factor_off',
      message: english.t`Two-factor authentication is off. All devices were signed out.`,
      mail: twoFactorEmail('offForMember'),
      address,
      actor,
      logged: { why, loosening },
    },
  );
  afterCommit(tx, () => evictCallers(context, ended));
  return true;
}

/** Notifies the member that it will be turned off at this instant. */
export async function notifyTwoFactorEnding(tx: Tx, context: Context, memberId: bigint, dueAt: Date): Promise<void> {
  const when = writeMinute(dueAt);
  await notifySecurity(context, tx, {
    memberId,
    kind: 'second_factor_ending',
    message: english.t`Two-factor authentication will be turned off on ${when}, unless you sign in with it before and your account is not frozen.`,
    mail: twoFactorOffApprovedEmail(when),
  });
}
