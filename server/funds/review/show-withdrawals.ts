import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { OperatorWithdrawal, operatorPayouts } from '#contract/funds/review.ts';
import { toDollars } from '#contract/money.ts';
import { type Contact, listContacts, listEmailRequests, listFirstSeen, nameMember } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { listRows, listValues } from '#server/db/rows.ts';
import { orRefuse } from '#server/refused.ts';
import { approvalsMissing, approvalsNeeded, hasNewDevice } from '../core/withdrawal-rules.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { findEstimator } from '../withdrawals/network-fee.ts';
import {
  findWithdrawal,
  listOperatorWithdrawalRows,
  listSteps,
  showWithdrawalDetail,
  type WithdrawalRow,
} from '../withdrawals/withdrawal.ts';
import { type Approval, listApprovals, listPayers } from './approvals.ts';

export async function showOperatorWithdrawal(
  db: Db,
  gateways: readonly Gateway[],
  row: WithdrawalRow,
): Promise<OperatorWithdrawal> {
  const [shown] = await showOperatorWithdrawals(db, gateways, [row]);
  return shown as OperatorWithdrawal;
}

/** Withdrawals as operators see them, with everything a decision needs, in the given order. */
export async function showOperatorWithdrawals(
  db: Db,
  gateways: readonly Gateway[],
  rows: readonly WithdrawalRow[],
): Promise<OperatorWithdrawal[]> {
  const ids = rows.map((row) => row.id);
  const memberIds = [...new Set(rows.map((row) => row.member_id))];
  const handlerIds = rows.map((row) => row.handler_id).filter((id) => id !== null);
  const [steps, approvals, daySums, frozenIds, contacts, firstSeen, firstPayouts, payers] = await Promise.all([
    listSteps(db, ids),
    listApprovals(db, ids),
    listDaySums(db, ids),
    listWithdrawalFreezes(db, memberIds),
    listContacts(db, memberIds),
    listFirstSeen(db, memberIds),
    listFirstPayouts(db, ids),
    listPayers(db, handlerIds),
  ]);
  return rows.map((row) => {
    const day = daySums.find((sum) => sum.member_id === row.member_id && sum.day === row.requested_on);
    const daySumMicros = day?.live_micros ?? 0n;
    const own = steps.filter((step) => step.withdrawal_id === row.id);
    const given = approvals.filter((approval) => approval.withdrawalId === row.id);
    return {
      ...showWithdrawalDetail(row, own),
      transaction: row.transaction,
      version: row.version,
      member: showMember(contacts.get(row.member_id) as Contact, frozenIds.includes(row.member_id)),
      day_sum: toDollars(daySumMicros),
      approvals_needed: approvalsNeeded(daySumMicros),
      approvals: given.map(showApproval(row)),
      approvals_missing: isWaiting(row)
        ? approvalsMissing({ isApproved: row.state === 'approved', daySumMicros, approvals: given })
        : 0,
      payout: showPayout(row, payers),
      gateway_can_pay: gateways.some((gateway) => gateway.canPay(row.network)),
      network_fee_estimated: findEstimator(gateways, row.network) !== undefined,
      new_device: hasNewDevice(firstSeen.get(row.member_id) ?? [], row.created_at),
      first_payout: firstPayouts.includes(row.id),
    };
  });
}

/** Whether approvals still matter. Once it is being paid, those that counted then are final. */
const isWaiting = ({ state, payout_way }: WithdrawalRow): boolean =>
  state === 'requested' || (state === 'approved' && payout_way === null);

const showApproval = (row: WithdrawalRow) => (approval: Approval) => ({
  operator_id: approval.operatorId.toString(),
  operator: approval.operatorName,
  at: approval.givenAt.toISOString(),
  counts: approval.counts || !isWaiting(row),
});

const showMember = (contact: Contact, areWithdrawalsFrozen: boolean): OperatorWithdrawal['member'] => ({
  ...nameMember(contact),
  verified: contact.verifiedAt !== null,
  frozen: contact.frozenAt !== null,
  withdrawals_frozen: areWithdrawalsFrozen,
});

function showPayout(row: WithdrawalRow, payers: readonly bigint[]): OperatorWithdrawal['payout'] {
  if (row.payout_way === null) return null;
  return {
    way: row.payout_way,
    operator_id: row.handler_id?.toString() ?? null,
    abandoned: row.state === 'approved' && row.handler_id !== null && !payers.includes(row.handler_id),
    gateway: row.gateway,
    payout_id: row.payout_id,
    units: row.payout_units,
    started_at: row.payout_started_at?.toISOString() ?? null,
  };
}

type DaySumRow = { readonly member_id: bigint; readonly day: string; readonly live_micros: bigint };

/** Daily sums of the members and days of these withdrawals. */
const listDaySums = (db: Db, withdrawalIds: readonly bigint[]) =>
  listRows(db)<DaySumRow>`
    select distinct d.member_id, d.day::text as day, d.live_micros
    from funds.withdrawal w join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.id = any(${withdrawalIds}::bigint[])`;

/** Those of these withdrawals that have no earlier completed one of the same member. */
const listFirstPayouts = (db: Db, withdrawalIds: readonly bigint[]) =>
  listValues(db)<bigint>`
    select w.id from funds.withdrawal w
    where w.id = any(${withdrawalIds}::bigint[]) and not exists (
      select from funds.withdrawal earlier
      where earlier.member_id = w.member_id and earlier.state = 'completed' and earlier.id < w.id)`;

/** Those of these members whose withdrawals are stopped for any reason. */
const listWithdrawalFreezes = async (db: Db, memberIds: readonly bigint[]): Promise<bigint[]> => [
  ...(await listValues(db)<bigint>`
    select member_id from funds.withdrawal_freeze where member_id = any(${memberIds}::bigint[])`),
  ...(await listEmailRequests(db, memberIds)).map(({ memberId }) => memberId),
];

type ListOperatorWithdrawals = typeof operatorPayouts.listOperatorWithdrawals;

/** A page of all members' withdrawals: oldest first for an open state, else newest first. */
export async function listOperatorWithdrawals(
  { db }: Context,
  gateways: readonly Gateway[],
  query: QueryOf<ListOperatorWithdrawals>,
): Promise<DataOf<ListOperatorWithdrawals>> {
  const after = readIdCursor(query.cursor);
  const found = await listOperatorWithdrawalRows(db, { state: query.state, after, limit: query.limit + 1 });
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id);
  return { items: await showOperatorWithdrawals(db, gateways, rows), next_cursor: nextCursor };
}

/** Any member's withdrawal. Refuses `withdrawal_not_found`. */
export async function getOperatorWithdrawal(
  { db }: Context,
  gateways: readonly Gateway[],
  id: bigint,
): Promise<OperatorWithdrawal> {
  return showOperatorWithdrawal(db, gateways, orRefuse(await findWithdrawal(db, id), 'withdrawal_not_found'));
}
