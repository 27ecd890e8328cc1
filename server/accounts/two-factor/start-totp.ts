import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { lockForChange } from '../members/member-sql.ts';
import { checkOwnPassword } from '../passwords/check-own-password.ts';
import { forgetAttempts } from '../sign-in/attempts.ts';
import type { MemberCaller } from '../sign-in/find-caller.ts';
import { makeTotpSecret, totpUri, writeTotpSecret } from './totp.ts';
import { upsertTotp } from './totp-sql.ts';

/**
 * Begins to set a member's authenticator app up: makes the secret and tells it this once. Asks for the password, for
 * whoever took over an open browser would set up an app of their own. Nothing is asked for at sign-in before a first code
 * was shown; until then a new start replaces the secret. Refusals: `wrong_password`, `second_factor_on`,
 * `too_many_requests`.
 */
export async function startTotp(
  context: Context,
  { memberId }: MemberCaller,
  input: { readonly password: string; readonly address: string },
): Promise<{ secret: string; uri: string }> {
  const { referralCode, passwordHash } = await checkOwnPassword(context, memberId, input.password);
  const secret = makeTotpSecret();
  await inTransaction(context.db, async (tx) => {
    const member = await lockForChange(tx, memberId, passwordHash);
    if (member === undefined) throw new Refused('wrong_password', { field: 'password' });
    await forgetAttempts(tx, 'current_password', memberId.toString());
    if (!(await upsertTotp(tx, { memberId }, { secret, now: context.now() }))) throw new Refused('second_factor_on');
    await writeAudit(tx, {
      actor: { kind: 'member', id: memberId },
      action: 'member.start_second_factor',
      subject: `member:${memberId}`,
      address: input.address,
    });
  });
  return { secret: writeTotpSecret(secret), uri: totpUri(secret, context.config.brandName, referralCode) };
}
