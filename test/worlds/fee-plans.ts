import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { createFeePlan } from '#server/fee-plans/index.ts';

/** Writes a fee plan in its state after a second operator's approval. */
export const writeFeePlan = (
  context: Context,
  terms: FeePlanTerms,
  { note = 'For a test.', proposedBy = 1n, approvedBy = 2n } = {},
): Promise<FeePlan> =>
  inTransaction(context.db, (tx) =>
    createFeePlan(tx, { terms, note, proposedBy, approvedBy, address: '127.0.0.1', now: context.now() }),
  );
