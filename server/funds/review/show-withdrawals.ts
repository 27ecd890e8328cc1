import { sql } from 'kysely';
import type { DeskWithdrawal } from '#contract/funds/review.ts';
import type { WithdrawalState } from '#contract/funds/withdrawals.ts';
import { toDollars } from '#contract/money.ts';
import { type Contact, listContacts, listFirstSights } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { hasNewDevice } from '../core/new-device.ts';
import { openWithdrawalStates } from '../core/withdrawal-move.ts';
import { approvalsMissing, approvalsNeeded } from '../core/withdrawal-rules.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { listSteps, showWithdrawalDetail } from '../withdrawals/show-withdrawal.ts';
import { type WithdrawalRow, withdrawalColumns } from '../withdrawals/withdrawal-sql.ts';
import { type Approval, listApprovals } from './approvals.ts';

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
    const given = approvals.filter((approval) => approval.withdrawalId === row.id);
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
  operator_id: approval.operatorId.toString(),
  operator: approval.operatorName,
  at: approval.givenAt.toISOString(),
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

const waits = (state: WithdrawalState | undefined): boolean =>
  state !== undefined && (openWithdrawalStates as readonly WithdrawalState[]).includes(state);

/** Of all members. `after` is the id of the last row already shown; of those that wait the oldest come first. */
export async function listDeskWithdrawalRows(
  db: Db,
  filter: { readonly state: WithdrawalState | undefined; readonly after: bigint | undefined; readonly limit: number },
): Promise<WithdrawalRow[]> {
  const { state, after, limit } = filter;
  const isOldestFirst = waits(state);
  const inState = state === undefined ? sql`true` : sql`state = ${state}`;
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const { rows } = await sql<WithdrawalRow>`
    select ${withdrawalColumns} from funds.withdrawal where ${inState} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  return rows;
}

type DaySumRow = { readonly member_id: bigint; readonly day: string; readonly live_micros: bigint };

/** What each of these members asked for on each day on which one of these withdrawals was requested. */
async function listDaySums(db: Db, withdrawalIds: readonly bigint[]): Promise<DaySumRow[]> {
  const { rows } = await sql<DaySumRow>`
    select distinct d.member_id, d.day::text as day, d.live_micros
    from funds.withdrawal w join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.id = any(${withdrawalIds}::bigint[])`.execute(db);
  return rows;
}

/** Those of these withdrawals before which none of their member was completed. */
async function listFirstPayouts(db: Db, withdrawalIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select w.id from funds.withdrawal w
    where w.id = any(${withdrawalIds}::bigint[]) and not exists (
      select from funds.withdrawal earlier
      where earlier.member_id = w.member_id and earlier.state = 'completed' and earlier.id < w.id)`.execute(db);
  return rows.map((row) => row.id);
}

/** Those of these members whose withdrawals are stopped. */
async function listWithdrawalFreezes(db: Db, memberIds: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from funds.withdrawal_freeze where member_id = any(${memberIds}::bigint[])`.execute(db);
  return rows.map((row) => row.member_id);
}
