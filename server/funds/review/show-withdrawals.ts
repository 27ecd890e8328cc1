import type { DeskWithdrawal } from '#contract/funds/review.ts';
import { toDollars } from '#contract/money.ts';
import { type Contact, listContacts, listFirstSights } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { hasNewDevice } from '../core/new-device.ts';
import { approvalsMissing, approvalsNeeded } from '../core/withdrawal-rules.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { showWithdrawalDetail } from '../withdrawals/show-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { listSteps } from '../withdrawals/withdrawal-step-sql.ts';
import { type Approval, listApprovals } from './approvals.ts';
import { listDaySums, listFirstPayouts, listWithdrawalFreezes } from './withdrawal-review-sql.ts';

/** Withdrawals as the desk sees them: with all that a decision needs, in the order they are given. */
export async function showDeskWithdrawals(
  db: Db,
  gateway: Gateway,
  rows: readonly WithdrawalRow[],
): Promise<DeskWithdrawal[]> {
  const ids = rows.map((row) => row.id);
  const memberIds = [...new Set(rows.map((row) => row.member_id))];
  const [steps, approvals, daySums, frozenIds, contacts, firstSights, firstPayouts] = await Promise.all([
    listSteps(db, ids),
    listApprovals(db, ids),
    listDaySums(db, ids),
    listWithdrawalFreezes(db, memberIds),
    listContacts(db, memberIds),
    listFirstSights(db, memberIds),
    listFirstPayouts(db, ids),
  ]);
  return rows.map((row) => {
    const day = daySums.find((sum) => sum.member_id === row.member_id && sum.day === row.requested_on);
    const daySumMicros = day?.live_micros ?? 0n;
    const own = steps.filter((step) => step.withdrawal_id === row.id);
    const given = approvals.filter((approval) => approval.withdrawal_id === row.id);
    return {
      ...showWithdrawalDetail(row, own),
      version: row.version,
      member: showMember(contacts.get(row.member_id) as Contact, frozenIds.includes(row.member_id)),
      day_sum: toDollars(daySumMicros),
      approvals_needed: approvalsNeeded(daySumMicros),
      approvals: given.map(showApproval(row)),
      approvals_missing: isWaiting(row)
        ? approvalsMissing({ isApproved: row.state === 'approved', daySumMicros, approvals: given })
        : 0,
      payout: showPayout(row),
      gateway_can_pay: gateway.canPay(row.network),
      new_device: hasNewDevice(firstSights.get(row.member_id) ?? [], row.created_at),
      first_payout: firstPayouts.includes(row.id),
    };
  });
}

/** In which money waits for approvals that count. Later it has left on those that counted then. */
const isWaiting = ({ state, payout_way }: WithdrawalRow): boolean =>
  state === 'requested' || (state === 'approved' && payout_way === null);

const showApproval = (row: WithdrawalRow) => (approval: Approval) => ({
  operator_id: approval.operator_id.toString(),
  operator: approval.operatorName,
  at: approval.approved_at.toISOString(),
  counts: approval.counts || !isWaiting(row),
});

const showMember = (contact: Contact, areWithdrawalsFrozen: boolean): DeskWithdrawal['member'] => ({
  id: contact.id.toString(),
  referral_code: contact.referralCode,
  name: contact.name,
  verified: contact.verifiedAt !== null,
  frozen: contact.frozenAt !== null,
  withdrawals_frozen: areWithdrawalsFrozen,
});

function showPayout(row: WithdrawalRow): DeskWithdrawal['payout'] {
  if (row.payout_way === null) return null;
  return {
    way: row.payout_way,
    operator_id: row.handler_id?.toString() ?? null,
    gateway: row.gateway,
    payout_id: row.payout_id,
    started_at: row.payout_started_at?.toISOString() ?? null,
  };
}
