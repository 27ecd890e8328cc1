import type { FeePlanProposal } from '#contract/console-fee-plans.ts';
import type { Db } from '#server/db/connect.ts';
import { listDeciderNames, showProposal } from '../show-proposal.ts';
import type { FeePlanProposalRow } from './fee-plan-proposal-sql.ts';

/** Proposed plans with the names of who proposed and decided them, in the order they are given. */
export async function showFeePlanProposals(db: Db, rows: readonly FeePlanProposalRow[]): Promise<FeePlanProposal[]> {
  const names = await listDeciderNames(db, rows);
  return rows.map((row) => ({
    ...showProposal(row, names),
    terms: row.terms,
    base_id: row.base_plan_id.toString(),
    plan_id: row.plan_id?.toString() ?? null,
  }));
}

export async function showFeePlanProposal(db: Db, row: FeePlanProposalRow): Promise<FeePlanProposal> {
  const [shown] = await showFeePlanProposals(db, [row]);
  return shown as FeePlanProposal;
}
