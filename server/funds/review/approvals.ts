import type { OperatorRole } from '#contract/endpoint.ts';
import { operatorPayouts } from '#contract/funds/review.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { isOwnMember, operators } from '#server/accounts/index.ts';
import { type Approval as JudgedApproval, judge, type OperatorAuthorities } from '#server/approvals/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows, listValues } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { twoOperatorsFromMicros } from '../core/withdrawal-rules.ts';

/** Roles that may approve payouts. */
export const payerRoles: readonly OperatorRole[] = operatorPayouts.approveWithdrawal.access;

type ApprovalRow = { readonly withdrawalId: bigint; readonly operatorId: bigint; readonly givenAt: Date };
/** Includes whether the approval counts: it does while its operator is active and has a payer role. */
export type Approval = ApprovalRow & JudgedApproval;

/** Those of these operators who may currently approve payouts. */
export const listPayers = async (db: Db, ids: readonly bigint[]): Promise<bigint[]> =>
  payersOf(await operators.list(db, ids));

/** Whether an operator may, locked until the transaction ends. */
export const isPayer = async (tx: Tx, id: bigint): Promise<boolean> =>
  payersOf(await operators.lock(tx, [id])).includes(id);

const payersOf = (authorities: OperatorAuthorities): bigint[] =>
  [...authorities.values()].filter(({ isActive, role }) => isActive && payerRoles.includes(role)).map(({ id }) => id);

/** The approvals of a withdrawal, with their operators locked until the transaction ends. */
export async function lockApprovals(tx: Tx, withdrawalId: bigint): Promise<Approval[]> {
  const rows = await listApprovalRows(tx, [withdrawalId]);
  return judge(rows, await operators.lock(tx, operatorsOf(rows)), payerRoles);
}

/** Approvals of several withdrawals, without locks. */
export async function listApprovals(db: Db, withdrawalIds: readonly bigint[]): Promise<Approval[]> {
  const rows = await listApprovalRows(db, withdrawalIds);
  return judge(rows, await operators.list(db, operatorsOf(rows)), payerRoles);
}

/** Number of requested withdrawals that need two operators, and how many of them have one valid approval. */
export async function countTwoPerson(db: Db): Promise<{ readonly count: number; readonly firstApproved: number }> {
  const ids = await listTwoPersonIds(db);
  const valid = (await listApprovals(db, ids)).filter(({ counts }) => counts);
  return { count: ids.length, firstApproved: new Set(valid.map((approval) => approval.withdrawalId)).size };
}

const operatorsOf = (rows: readonly ApprovalRow[]): bigint[] => rows.map((row) => row.operatorId);

export const insertApproval = (
  tx: Tx,
  approval: { readonly withdrawalId: bigint; readonly operatorId: bigint; readonly now: Date },
) =>
  execute(tx)`
    insert into funds.withdrawal_approval (withdrawal_id, operator_id, approved_at)
    values (${approval.withdrawalId}, ${approval.operatorId}, ${approval.now})`;

/** In the order given, including those that no longer count. */
const listApprovalRows = (db: Db, withdrawalIds: readonly bigint[]) =>
  listRows(db)<ApprovalRow>`
    select withdrawal_id as "withdrawalId", operator_id as "operatorId", approved_at as "givenAt"
    from funds.withdrawal_approval
    where withdrawal_id = any(${withdrawalIds}::bigint[]) order by withdrawal_id, approved_at, operator_id`;

/** Requested withdrawals whose daily sum needs two operators. */
const listTwoPersonIds = (db: Db) =>
  listValues(db)<bigint>`
    select w.id from funds.withdrawal w
    join funds.withdrawal_day d on d.member_id = w.member_id and d.day = w.requested_on
    where w.state = 'requested' and d.live_micros >= ${twoOperatorsFromMicros}`;

/** Operators may not decide on their own member account. Refuses `own_proposal` by default. */
export async function refuseOwnMember(
  tx: Tx,
  { memberId }: { readonly memberId: bigint | null },
  operatorId: bigint,
  refusal: RefusalCode = 'own_proposal',
): Promise<void> {
  if (await isOwnMember(tx, memberId as bigint, operatorId)) throw new Refused(refusal);
}
