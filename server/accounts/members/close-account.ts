import { sql } from 'kysely';
import type { SecondFactor } from '#contract/fields.ts';
import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { lockEmptyAccounts } from '#server/ledger/index.ts';
import { forgetMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { closedEmail } from '../core/emails.ts';
import { blankEmailRequests, endEmailRequest } from '../email-change/request-email-change.ts';
import { auditOwn } from '../owner.ts';
import { checkOwnPassword } from '../passwords/change-password.ts';
import { clearAttempts } from '../sign-in/attempts.ts';
import { deleteSessions } from '../sign-in/auth-session-sql.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { consumeAnswer, countSecondFactorTry, hasSecondFactor } from '../two-factor/second-factor.ts';
import { endLoosenings } from './end-loosenings.ts';
import { lockForChange } from './members.ts';

/** What stands in lists of the team and of operators in place of the name of who closed their account. */
const closedName = 'Closed account';

/**
 * What a later domain does when a member closes the account, in the transaction that does it: it refuses while something
 * of its own is under way, or forgets what it knows of the person. app.ts brings them, in the order of their locks.
 */
export type ClosingStep = (tx: Tx, memberId: bigint, now: Date) => Promise<void>;

/**
 * Closes the account for good (docs/product.md, section 8): nothing of the member's may be left in it or on its way.
 * Personal data is blanked, all sign-ins end, ledger and sponsor link stay, and incomes pass it by from here on
 * (docs/security.md, "Personal data").
 *
 * The member is held first, and with them every sign-in, withdrawal and deposit that is being made; the accounts last: what
 * moved money before is seen, and what comes after finds them empty. Refusals: `wrong_password`, `second_factor_required`,
 * `wrong_second_factor`, `passkey_refused`, `account_frozen`, `closing_balance` and those of the steps, `too_many_requests`.
 */
export async function closeAccount(
  context: Context,
  { memberId }: MemberCaller,
  input: { readonly password: string; readonly secondFactor?: SecondFactor | undefined; readonly address: string },
  steps: readonly ClosingStep[],
): Promise<void> {
  const now = context.now();
  const { passwordHash } = await checkOwnPassword(context, memberId, input.password);
  await confirmSecondFactor(context, memberId, input.secondFactor);
  const ended = await inTransaction(context.db, async (tx) => {
    const member = await lockForChange(tx, memberId, passwordHash);
    if (member === undefined) throw new Refused('wrong_password', { field: 'password' });
    if (member.frozenAt !== null) throw new Refused('account_frozen');
    await clearAttempts(tx, 'current_password', memberId.toString());
    const executor = { actor: { kind: 'member', id: memberId }, address: input.address } as const;
    await endLoosenings(tx, { memberId, executor, now });
    for (const step of steps) await step(tx, memberId, now);
    if (!(await lockEmptyAccounts(tx, memberId))) throw new Refused('closing_balance');
    await auditOwn(tx, { memberId }, 'member.close', { address: input.address });
    await endEmailRequest(tx, context, { memberId, outcome: 'withdrawn', executor });
    await blankEmailRequests(tx, memberId);
    const hashes = await deleteSessions(tx, { memberId }, null);
    await forgetMember(tx, memberId, closedEmail(context.config.brandName, member.referralCode));
    await deletePersonalRows(tx, memberId);
    await updateClosed(tx, memberId, now);
    return hashes;
  });
  evictCallers(context, ended);
}

/**
 * The second factor of who has one. In a transaction of its own: it is used up even when the account cannot be closed, or
 * it could be tried on until one fits. One that is turned on after this look ends the sign-in, and with it this.
 */
async function confirmSecondFactor(
  context: Context,
  memberId: bigint,
  answer: SecondFactor | undefined,
): Promise<void> {
  if (!(await hasSecondFactor(context.db, memberId))) return;
  if (answer === undefined) throw new Refused('second_factor_required');
  await countSecondFactorTry(context, memberId);
  const kind = await inTransaction(context.db, (tx) => consumeAnswer(context, tx, memberId, answer, 'change'));
  if (kind === undefined) throw new Refused('wrong_second_factor');
}

/** Everything by which somebody signs in as this member, or was seen to. */
async function deletePersonalRows(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from identity.sign_in_challenge where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.otp where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.reset_token where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.recovery_code where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.totp where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.passkey where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.passkey_challenge where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.known_device where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.stop_link where member_id = ${memberId}`.execute(tx);
  await sql`delete from identity.own_limit where member_id = ${memberId}`.execute(tx);
}

/** Id, Registered Id, sponsor and times stay: the ledger and the members below hang on them. */
const updateClosed = (tx: Tx, memberId: bigint, now: Date) =>
  execute(tx)`
    update identity.member
    set closed_at = ${now}, name = ${closedName}, email = null, email_before = null, mobile_number = null, email_verified_at = null,
        password_hash = null, rehashed_from = null, password_changed_at = null, security_changed_at = null
    where id = ${memberId}`;
