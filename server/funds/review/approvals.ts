import { payoutDesk } from '#contract/funds/review.ts';
import { doesCount, listAuthorities, lockAuthorities, type OperatorAuthorities } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type ApprovalRow, listApprovalRows, listTwoPersonIds } from './approval-sql.ts';

/** Who may let money out. */
export const payerRoles = payoutDesk.approveWithdrawal.access;

export type Approval = ApprovalRow & {
  readonly operatorName: string;
  /** Whether it lets money out now: an approval does while its operator is active and entitled. */
  readonly counts: boolean;
};

/** The approvals of a withdrawal, with their operators held as they are until the transaction ends. */
export async function lockApprovals(tx: Tx, withdrawalId: bigint): Promise<Approval[]> {
  const rows = await listApprovalRows(tx, [withdrawalId]);
  return judge(rows, await lockAuthorities(tx, operatorsOf(rows)));
}

/** Those of some withdrawals, to be shown. */
export async function listApprovals(db: Db, withdrawalIds: readonly bigint[]): Promise<Approval[]> {
  const rows = await listApprovalRows(db, withdrawalIds);
  return judge(rows, await listAuthorities(db, operatorsOf(rows)));
}

/** Requested withdrawals that two operators have to approve, and how many have one approval that counts. */
export async function countTwoPerson(db: Db): Promise<{ readonly count: number; readonly firstApproved: number }> {
  const ids = await listTwoPersonIds(db);
  const counting = (await listApprovals(db, ids)).filter(({ counts }) => counts);
  return { count: ids.length, firstApproved: new Set(counting.map((approval) => approval.withdrawal_id)).size };
}

const operatorsOf = (rows: readonly ApprovalRow[]): bigint[] => rows.map((row) => row.operator_id);

const judge = (rows: readonly ApprovalRow[], authorities: OperatorAuthorities): Approval[] =>
  rows.map((row) => {
    const authority = authorities.get(row.operator_id);
    return {
      ...row,
      operatorName: authority?.name ?? '',
      counts: doesCount(authority, payerRoles, row.approved_at),
    };
  });
