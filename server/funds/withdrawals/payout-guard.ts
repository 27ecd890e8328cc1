import { sql } from 'kysely';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import {
  findPayoutNeeds,
  hasEmailRequest,
  lockPayoutNeeds,
  lockWithdrawer,
  type Withdrawer,
} from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow, hasRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { approvalsMissing, type Restriction, restrictionOf, usableFrom } from '../core/withdrawal-rules.ts';
import { lockApprovals } from '../review/approvals.ts';
import { isAsRequested, lockDaySum, type WithdrawalRow } from './withdrawal.ts';

/**
 * The single guard for outgoing money. Approvals call it directly; claims by hand and payouts through the gateway call
 * it through `refuseUnlessApproved`; each in its transaction, after locking the withdrawal. A freeze or a payout stop
 * is therefore effective once committed, even for withdrawals already approved.
 *
 * Refuses, in this order, `account_frozen`, `withdrawals_frozen`, `not_verified` (live mode), `payouts_stopped`,
 * `payouts_unconfirmed` (live mode), and `withdrawal_changed` if somebody changed address or amount in the database. The
 * address's 24 hours are not rechecked: the withdrawal keeps its address.
 *
 * @returns the sum of the member's requests on the day of this withdrawal, including this one, locked like the rest until
 * the transaction ends; input of `approvalsNeeded`
 */
export async function refuseUnlessPayable(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<bigint> {
  const withdrawer = await lockWithdrawer(tx, withdrawal.member_id);
  if (withdrawer.frozenAt !== null) throw new Refused('account_frozen');
  if (await shareWithdrawalFreeze(tx, withdrawal.member_id)) throw new Refused('withdrawals_frozen');
  if (lacksVerification(context, withdrawer)) throw new Refused('not_verified');
  if ((await sharePayoutSwitch(tx)).stopped_at !== null) throw new Refused('payouts_stopped');
  if ((await lockPayoutNeeds(context, tx)) !== null) throw new Refused('payouts_unconfirmed');
  const isSame = await hasRow(tx)`select 1 from funds.withdrawal w where w.id = ${withdrawal.id} and ${isAsRequested}`;
  if (!isSame) throw new Refused('withdrawal_changed');
  return lockDaySum(tx, withdrawal.member_id, withdrawal.requested_on);
}

/**
 * The guard before a payment, by hand or through the gateway: also requires that as many approvals as it needed are
 * still valid. Refuses `approvals_missing`, after all that the guard refuses.
 */
export async function refuseUnlessApproved(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<void> {
  const daySumMicros = await refuseUnlessPayable(tx, context, withdrawal);
  const approvals = await lockApprovals(tx, withdrawal.id);
  if (approvalsMissing({ isApproved: true, daySumMicros, approvals }) > 0) throw new Refused('approvals_missing');
}

/** The first restriction of a member, and the payout address. */
export type Eligibility = {
  readonly restriction: Restriction | undefined;
  readonly address: AddressRow | undefined;
  readonly usableFrom: Date | null;
};

/** The member's restrictions, for terms, codes and requests, in the order of `withdrawalBars`. */
export async function findEligibility(
  db: Db,
  context: Context,
  memberId: bigint,
  withdrawer: Pick<Withdrawer, 'frozenAt' | 'verifiedAt' | 'securityChangedAt'>,
): Promise<Eligibility> {
  const address = await findAddressInForce(db, memberId);
  const usable = address === undefined ? null : usableFrom(address.saved_at, withdrawer.securityChangedAt);
  const conditions = {
    isFrozen: withdrawer.frozenAt !== null,
    areWithdrawalsFrozen: await hasWithdrawalFreeze(db, memberId),
    lacksVerification: lacksVerification(context, withdrawer),
    usableFrom: usable,
  };
  return { restriction: restrictionOf(conditions, context.now()), address, usableFrom: usable };
}

/** Reads the withdrawer without keeping the lock, for display or for checks that are repeated under the lock. */
export const readWithdrawer = (db: Db, memberId: bigint): Promise<Withdrawer> =>
  inTransaction(db, (tx) => lockWithdrawer(tx, memberId));

const lacksVerification = (context: Context, withdrawer: Pick<Withdrawer, 'verifiedAt'>): boolean =>
  context.config.mode === 'live' && withdrawer.verifiedAt === null;

export type AddressRow = {
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly saved_at: Date;
};

export const addressColumns = sql`network, address, saved_at`;

/** The current address. */
export const findAddressInForce = (db: Db, memberId: bigint) =>
  findRow(db)<AddressRow>`
    select ${addressColumns} from funds.payout_address where member_id = ${memberId} and replaced_at is null`;

export type FreezeCause = 'not_me' | 'operator';

/** Key of the member's advisory lock. */
const freezeLock = (memberId: bigint) => sql`hashtextextended(${`funds.withdrawal_freeze/${memberId}`}, 0)`;

/**
 * Required before inserting or deleting a freeze. A missing row cannot be locked, so both sides take an advisory lock:
 * the freeze waits for transactions inside the guard, and later ones see it.
 */
export const lockWithdrawalFreeze = (tx: Tx, memberId: bigint) =>
  execute(tx)`select pg_advisory_xact_lock(${freezeLock(memberId)})`;

/** False when the member's withdrawals are already stopped. */
export const insertWithdrawalFreeze = (
  tx: Tx,
  freeze: { readonly memberId: bigint; readonly cause: FreezeCause; readonly now: Date },
) =>
  hasRow(tx)`
    insert into funds.withdrawal_freeze (member_id, cause, frozen_at)
    values (${freeze.memberId}, ${freeze.cause}, ${freeze.now})
    on conflict (member_id) do nothing returning 1`;

/** False when they were not stopped. */
export const deleteWithdrawalFreeze = (tx: Tx, memberId: bigint) =>
  hasRow(tx)`
    delete from funds.withdrawal_freeze where member_id = ${memberId} returning 1`;

/** Whether a member's withdrawals are stopped, locked until the transaction ends. */
async function shareWithdrawalFreeze(tx: Tx, memberId: bigint): Promise<boolean> {
  await execute(tx)`select pg_advisory_xact_lock_shared(${freezeLock(memberId)})`;
  return hasWithdrawalFreeze(tx, memberId);
}

/**
 * Stopped by the member, by an operator, or during a change of email without the old mailbox, until that ends in any
 * way. Requesting that change locks the member, like every caller here.
 */
export const hasWithdrawalFreeze = async (db: Db, memberId: bigint): Promise<boolean> =>
  (await hasRow(db)`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`) ||
  hasEmailRequest(db, memberId);

export type PayoutSwitch = {
  readonly stopped_at: Date | null;
  /** Null also when the system stopped them. */
  readonly stopped_by: bigint | null;
  readonly why: string | null;
  /** While set, payouts cannot be resumed. */
  readonly alarm: string | null;
};

/** Whether all payouts are currently stopped. */
export const arePayoutsStopped = async (context: Context): Promise<boolean> =>
  (await findPayoutSwitch(context.db)).stopped_at !== null || (await findPayoutNeeds(context, context.db)) !== null;

export const findPayoutSwitch = (db: Db) =>
  getRow(db)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch`;

/** Share-locked until the transaction ends: a change waits for transactions inside the guard, and later ones see it. */
const sharePayoutSwitch = (tx: Tx) =>
  getRow(tx)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for share`;
