import { lockWithdrawer, type Withdrawer } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { approvalsMissing, type Bar, barOf, usableFrom } from '../core/withdrawal-rules.ts';
import { lockApprovals } from '../review/approvals.ts';
import { type AddressRow, findAddressInForce } from './payout-address-sql.ts';
import { hasWithdrawalFreeze, sharePayoutSwitch, shareWithdrawalFreeze } from './withdrawal-bar-sql.ts';
import { lockDaySum, type WithdrawalRow } from './withdrawal-sql.ts';

/** What was looked at, held until the transaction ends. */
export type Passed = {
  readonly withdrawer: Withdrawer;
  /** What the member asked for on the day of this withdrawal, this one included: `approvalsNeeded` takes it. */
  readonly dayMicros: bigint;
};

/**
 * The one gate that money passes on its way out: approval, taking a withdrawal to pay it by hand, and the start of a
 * payout through the gateway (both by `refuseUnlessApproved`) all call it in their transaction, after they locked the withdrawal. A freeze or a stop of
 * all payouts therefore holds from its commit on, also for what was approved before.
 *
 * Refuses, in this order, `account_frozen`, `withdrawals_frozen`, `not_verified` (live mode), `payouts_stopped`. The 24
 * hours of an address are not asked again: the withdrawal keeps the address it was requested for.
 */
export async function refuseUnlessPayable(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<Passed> {
  const withdrawer = await lockWithdrawer(tx, withdrawal.member_id);
  if (withdrawer.frozenAt !== null) throw new Refused('account_frozen');
  if (await shareWithdrawalFreeze(tx, withdrawal.member_id)) throw new Refused('withdrawals_frozen');
  if (lacksVerification(context, withdrawer)) throw new Refused('not_verified');
  if ((await sharePayoutSwitch(tx)).stopped_at !== null) throw new Refused('payouts_stopped');
  return { withdrawer, dayMicros: await lockDaySum(tx, withdrawal.member_id, withdrawal.requested_on) };
}

/**
 * The gate for what is about to be paid, by hand or through the gateway: as many of its approvals must count at this
 * moment as were needed for it. Refuses `approvals_missing`, after all that the gate refuses.
 */
export async function refuseUnlessApproved(tx: Tx, context: Context, withdrawal: WithdrawalRow): Promise<void> {
  const { dayMicros: daySumMicros } = await refuseUnlessPayable(tx, context, withdrawal);
  const approvals = await lockApprovals(tx, withdrawal.id);
  if (approvalsMissing({ isApproved: true, daySumMicros, approvals }) > 0) throw new Refused('approvals_missing');
}

/** What stands in a member's way, and where their money would go. */
export type Outlook = {
  readonly bar: Bar | undefined;
  readonly address: AddressRow | undefined;
  readonly usableFrom: Date | null;
};

/** The member's side of the gate, for terms, codes and requests: which take their order from `withdrawalBars`. */
export async function findBar(
  db: Db,
  context: Context,
  memberId: bigint,
  withdrawer: Pick<Withdrawer, 'frozenAt' | 'verifiedAt' | 'securityChangedAt'>,
): Promise<Outlook> {
  const address = await findAddressInForce(db, memberId);
  const usable = address === undefined ? null : usableFrom(address.saved_at, withdrawer.securityChangedAt);
  const standing = {
    isFrozen: withdrawer.frozenAt !== null,
    areWithdrawalsFrozen: await hasWithdrawalFreeze(db, memberId),
    lacksVerification: lacksVerification(context, withdrawer),
    usableFrom: usable,
  };
  return { bar: barOf(standing, context.now()), address, usableFrom: usable };
}

const lacksVerification = (context: Context, withdrawer: Pick<Withdrawer, 'verifiedAt'>): boolean =>
  context.config.mode === 'live' && withdrawer.verifiedAt === null;
