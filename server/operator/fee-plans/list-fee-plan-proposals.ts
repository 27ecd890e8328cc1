import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import type { consoleFeePlans } from '#contract/operator/fee-plans.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readIdCursor } from '#server/cursor.ts';
import { listFeePlanProposalRows } from './fee-plan-proposal-sql.ts';
import { showFeePlanProposals } from './show-fee-plan-proposals.ts';

type ListProposals = typeof consoleFeePlans.listFeePlanProposals;

/** A page of proposed plans: those that wait oldest first, else newest first. */
export async function listFeePlanProposals(
  { db }: Context,
  { cursor, limit, state }: QueryOf<ListProposals>,
): Promise<DataOf<ListProposals>> {
  const found = await listFeePlanProposalRows(db, { state, after: readIdCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showFeePlanProposals(db, rows), next_cursor: nextCursor };
}
