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
import { lockDaySum, type WithdrawalRow } from './withdrawal.ts';

/** What was looked at, held until the transaction ends. */
export type Passed = {
  readonly withdrawer: Withdrawer;
  /** What the member asked for on the day of this withdrawal, this one included: `approvalsNeeded` takes it. */
  readonly dayMicros: bigint;
};

/**
 * The one guard that money passes on its way out: approval, taking a withdrawal to pay it by hand, and the start of a
 * payout through the gateway (both by `refuseUnlessApproved`) all call it in their transaction, after they locked the withdrawal. A freeze or a stop
 * of all payouts therefore holds from its commit on, also for what was approved before.
 *
 * Refuses, in this order, `account_frozen`, `withdrawals_frozen`, `not_verified` (live mode), `payouts_stopped`,
 * `payouts_unconfirmed` (live mode). The 24 hours of an address are not asked again: the withdrawal keeps the address it
 * was requested for.
 */
export async function refuseUnlessPayable(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<Passed> {
  const withdrawer = await lockWithdrawer(tx, withdrawal.member_id);
  if (withdrawer.frozenAt !== null) throw new Refused('account_frozen');
  if (await shareWithdrawalFreeze(tx, withdrawal.member_id)) throw new Refused('withdrawals_frozen');
  if (lacksVerification(context, withdrawer)) throw new Refused('not_verified');
  if ((await sharePayoutSwitch(tx)).stopped_at !== null) throw new Refused('payouts_stopped');
  if ((await lockPayoutNeeds(context, tx)) !== null) throw new Refused('payouts_unconfirmed');
  return { withdrawer, dayMicros: await lockDaySum(tx, withdrawal.member_id, withdrawal.requested_on) };
}

/**
 * The guard of what is about to be paid, by hand or through the gateway: as many of its approvals must count at this
 * moment as were needed for it. Refuses `approvals_missing`, after all that the guard refuses.
 */
export async function refuseUnlessApproved(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<void> {
  const { dayMicros: daySumMicros } = await refuseUnlessPayable(tx, context, withdrawal);
  const approvals = await lockApprovals(tx, withdrawal.id);
  if (approvalsMissing({ isApproved: true, daySumMicros, approvals }) > 0) throw new Refused('approvals_missing');
}

/** What stands in a member's way, and where their money would go. */
export type Eligibility = {
  readonly restriction: Restriction | undefined;
  readonly address: AddressRow | undefined;
  readonly usableFrom: Date | null;
};

/** The member's side of the guard, for terms, codes and requests: which take their order from `withdrawalBars`. */
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

/** What decides about a member's withdrawals, as of now: for what is only shown, or looked at again under the lock. */
export const readWithdrawer = (db: Db, memberId: bigint): Promise<Withdrawer> =>
  inTransaction(db, (tx) => lockWithdrawer(tx, memberId));

const lacksVerification = (context: Context, withdrawer: Pick<Withdrawer, 'verifiedAt'>): boolean =>
  context.config.mode === 'live' && withdrawer.verifiedAt === null;

export type AddressRow = {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly saved_at: Date;
};

export const addressColumns = sql`id, member_id, network, address, saved_at`;

/** The address in force. */
export const findAddressInForce = (db: Db, memberId: bigint) =>
  findRow(db)<AddressRow>`
    select ${addressColumns} from funds.payout_address where member_id = ${memberId} and replaced_at is null`;

export type FreezeCause = 'not_me' | 'operator';

/** A number of its own for each member, among those that advisory locks are taken on. */
const freezeLock = (memberId: bigint) => sql`hashtextextended(${`funds.withdrawal_freeze/${memberId}`}, 0)`;

/**
 * Before a freeze is put up or taken away. One that is not there cannot be locked, so both sides lock its name: what is
 * being let through at this moment holds the freeze up, and whoever comes after its commit sees it.
 */
export const lockWithdrawalFreeze = (tx: Tx, memberId: bigint) =>
  execute(tx)`select pg_advisory_xact_lock(${freezeLock(memberId)})`;

/** False when the member's withdrawals were stopped before. */
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

/** Whether a member's withdrawals are stopped, held until the transaction ends. */
async function shareWithdrawalFreeze(tx: Tx, memberId: bigint): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(${freezeLock(memberId)})`.execute(tx);
  return hasWithdrawalFreeze(tx, memberId);
}

/**
 * Stopped by the member, by an operator, or while a change of email without the old mailbox is under way: that is released
 * by its end, whichever it is, and whoever asks for it holds the member, as everybody does here.
 */
export const hasWithdrawalFreeze = async (db: Db, memberId: bigint): Promise<boolean> =>
  (await hasRow(db)`select 1 from funds.withdrawal_freeze where member_id = ${memberId}`) ||
  hasEmailRequest(db, memberId);

export type PayoutSwitch = {
  readonly stopped_at: Date | null;
  /** Null also while the system stopped them. */
  readonly stopped_by: bigint | null;
  readonly why: string | null;
  /** While there is one, nobody lets payouts go on. */
  readonly alarm: string | null;
};

/** Whether nothing is paid at this moment, whatever a member's withdrawal says. */
export const arePayoutsOff = async (context: Context): Promise<boolean> =>
  (await findPayoutSwitch(context.db)).stopped_at !== null || (await findPayoutNeeds(context, context.db)) !== null;

export const findPayoutSwitch = (db: Db) =>
  getRow(db)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch`;

/** Held until the transaction ends: who turns it waits for what was let through, and the next sees it turned. */
const sharePayoutSwitch = (tx: Tx) =>
  getRow(tx)<PayoutSwitch>`
    select stopped_at, stopped_by, why, alarm from funds.payout_switch for share`;
