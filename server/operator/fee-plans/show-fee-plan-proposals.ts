import { consoleFeePlans, type FeePlanProposal } from '#contract/operator/fee-plans.ts';
import type { Db } from '#server/db/connect.ts';
import { listDeciders, showProposal } from '../show-proposal.ts';
import type { FeePlanProposalRow } from './fee-plan-proposal-sql.ts';

/** Proposed plans with the names of who proposed and decided them, in the order they are given. */
export async function showFeePlanProposals(db: Db, rows: readonly FeePlanProposalRow[]): Promise<FeePlanProposal[]> {
  const deciders = await listDeciders(db, rows);
  return rows.map((row) => ({
    ...showProposal(row, deciders, consoleFeePlans.approveFeePlan.access),
    terms: row.terms,
    base_id: row.base_plan_id.toString(),
    plan_id: row.plan_id?.toString() ?? null,
  }));
}

export async function showFeePlanProposal(db: Db, row: FeePlanProposalRow): Promise<FeePlanProposal> {
  const [shown] = await showFeePlanProposals(db, [row]);
  return shown as FeePlanProposal;
}
