import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { createFeePlan } from '#server/fee-plans/index.ts';

/** A fee plan as it is written once a second operator has approved it. */
export const writeFeePlan = (
  context: Context,
  terms: FeePlanTerms,
  { note = 'For a test.', proposedBy = 1n, approvedBy = 2n } = {},
): Promise<FeePlan> =>
  inTransaction(context.db, (tx) =>
    createFeePlan(tx, { terms, note, proposedBy, approvedBy, address: '127.0.0.1', now: context.now() }),
  );
