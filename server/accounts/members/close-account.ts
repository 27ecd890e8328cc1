import type { MemberCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forgetMember } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import { closedEmail } from '../core/emails.ts';
import { blankEmailRequests, endEmailRequest } from '../email-change/request-email-change.ts';
import { auditOwn } from '../owner.ts';
import { type Confirmation, checkOwnPassword, lockConfirmed } from '../passwords/change-password.ts';
import { deleteSessions } from '../sign-in/auth-session-sql.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { consumeSecondFactor, precheckSecondFactor } from '../two-factor/second-factor.ts';
import { endLoosenings } from './end-loosenings.ts';
import { lockForSignIn } from './members.ts';
import { forgetJoined } from './register-member.ts';

/** The name of a closed account in lists of the team and of operators, and in its sponsor's notifications. */
const closedName = 'Closed account';

/**
 * A step of a later domain in the transaction that closes an account: it refuses while something is in progress, or
 * deletes personal data. app.ts passes the steps in lock order.
 */
export type ClosingStep = (tx: Tx, memberId: bigint, now: Date) => Promise<void>;

export type ClosingParts = {
  /** In this order. */
  readonly closing: readonly ClosingStep[];
  /** The last step, which locks the ledger accounts: empties the wallets of this much, and leaves nothing in any account. */
  readonly forfeit: (tx: Tx, memberId: bigint, micros: bigint) => Promise<void>;
};

/**
 * Closes an account for good (docs/product.md, section 8). Nothing may be in progress, and all balances must be zero but
 * for what the member forfeits. Personal data is blanked and all sign-ins end; the ledger and the sponsor link stay, and
 * incomes skip the account from now on (docs/security.md, "Personal data").
 *
 * Locks the member first, which blocks concurrent sign-ins, withdrawals and deposits, and the ledger accounts last:
 * movements before are seen, and later ones find them empty. Refuses `wrong_password`, `second_factor_required`,
 * `wrong_second_factor`, `passkey_refused`, `account_frozen` and what the steps refuse,
 * `too_many_requests`.
 */
export async function closeAccount(
  context: Context,
  { memberId }: MemberCaller,
  { forfeitMicros = 0n, ...input }: Confirmation & { readonly forfeitMicros?: bigint },
  { closing: steps, forfeit }: ClosingParts,
): Promise<void> {
  const now = context.now();
  const checked = await checkOwnPassword(context, memberId, input.password);
  // In its own transaction: the answer is consumed even if the account cannot be closed.
  await precheckSecondFactor(context, memberId, input.secondFactor);
  await inTransaction(context.db, async (tx) => {
    await lockForSignIn(tx, memberId);
    await consumeSecondFactor(context, tx, memberId, input.secondFactor);
  });
  const ended = await inTransaction(context.db, async (tx) => {
    const member = await lockConfirmed(tx, checked);
    if (member.frozenAt !== null) throw new Refused('account_frozen');
    const executor = { actor: { kind: 'member', id: memberId }, address: input.address } as const;
    await endLoosenings(tx, { memberId, executor, now });
    for (const step of steps) await step(tx, memberId, now);
    await forfeit(tx, memberId, forfeitMicros);
    await auditOwn(tx, { memberId }, 'member.close', { address: input.address });
    await endEmailRequest(tx, context, { memberId, outcome: 'withdrawn', executor });
    await blankEmailRequests(tx, memberId);
    const hashes = await deleteSessions(tx, { memberId }, null);
    await forgetMember(tx, memberId, closedEmail({ ...context.config, referralCode: member.referralCode }));
    await forgetJoined(tx, member, closedName);
    await deletePersonalRows(tx, memberId);
    await updateClosed(tx, memberId, now);
    return hashes;
  });
  evictCallers(context, ended);
}

/** Deletes all credentials and devices of the member. */
async function deletePersonalRows(tx: Tx, memberId: bigint): Promise<void> {
  await execute(tx)`delete from identity.sign_in_challenge where member_id = ${memberId}`;
  await execute(tx)`delete from identity.otp where member_id = ${memberId}`;
  await execute(tx)`delete from identity.reset_token where member_id = ${memberId}`;
  await execute(tx)`delete from identity.recovery_code where member_id = ${memberId}`;
  await execute(tx)`delete from identity.totp where member_id = ${memberId}`;
  await execute(tx)`delete from identity.passkey where member_id = ${memberId}`;
  await execute(tx)`delete from identity.passkey_challenge where member_id = ${memberId}`;
  await execute(tx)`delete from identity.known_device where member_id = ${memberId}`;
  await execute(tx)`delete from identity.stop_link where member_id = ${memberId}`;
  await execute(tx)`delete from identity.former_email where member_id = ${memberId}`;
  await execute(tx)`delete from identity.own_limit where member_id = ${memberId}`;
}

/** Id, Registered Id, sponsor and times stay, because the ledger and the downline depend on them. */
const updateClosed = (tx: Tx, memberId: bigint, now: Date) =>
  execute(tx)`
    update identity.member
    set closed_at = ${now}, name = ${closedName}, email = null, mobile_number = null, email_verified_at = null,
        password_hash = null, rehashed_from = null, password_changed_at = null, security_changed_at = null
    where id = ${memberId}`;
