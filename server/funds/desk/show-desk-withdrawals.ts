import { toDollars } from '#contract/money.ts';
import type { DeskWithdrawal } from '#contract/payout-desk.ts';
import type { Db } from '#server/db/connect.ts';
import { type Contact, findOperator, listContacts, listFirstSights } from '#server/identity/index.ts';
import { hasNewDevice } from '../core/new-device.ts';
import { approvalsNeeded } from '../core/withdrawal-rules.ts';
import type { Gateway } from '../gateway.ts';
import { showWithdrawalDetail } from '../show-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawal-sql.ts';
import { listSteps } from '../withdrawal-step-sql.ts';
import { type ApprovalRow, listApprovals } from './approval-sql.ts';
import { listDaySums, listFirstPayouts, listWithdrawalFreezes } from './withdrawal-desk-sql.ts';

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
  const names = await listOperatorNames(db, approvals);
  return rows.map((row) => {
    const day = daySums.find((sum) => sum.member_id === row.member_id && sum.day === row.requested_on);
    const daySumMicros = day?.live_micros ?? 0n;
    const own = steps.filter((step) => step.withdrawal_id === row.id);
    return {
      ...showWithdrawalDetail(row, own),
      version: row.version,
      member: showMember(contacts.get(row.member_id) as Contact, frozenIds.includes(row.member_id)),
      day_sum: toDollars(daySumMicros),
      approvals_needed: approvalsNeeded(daySumMicros),
      approvals: approvals.filter((approval) => approval.withdrawal_id === row.id).map(showApproval(names)),
      payout: showPayout(row),
      gateway_can_pay: gateway.canPay(row.network),
      new_device: hasNewDevice(firstSights.get(row.member_id) ?? [], row.created_at),
      first_payout: firstPayouts.includes(row.id),
    };
  });
}

/** Few people approve, so each name is asked for once. */
async function listOperatorNames(db: Db, approvals: readonly ApprovalRow[]): Promise<Map<bigint, string>> {
  const ids = [...new Set(approvals.map((approval) => approval.operator_id))];
  const operators = await Promise.all(ids.map((id) => findOperator(db, id)));
  return new Map(operators.flatMap((operator) => (operator === undefined ? [] : [[operator.id, operator.name]])));
}

const showApproval = (names: Map<bigint, string>) => (approval: ApprovalRow) => ({
  operator_id: approval.operator_id.toString(),
  operator: names.get(approval.operator_id) ?? '',
  at: approval.approved_at.toISOString(),
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
