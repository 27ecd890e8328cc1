import type { BodyOf } from '#contract/endpoint.ts';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import { consoleFeePlans, type FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { checkWaterfall, readTerms } from './core/fee-plan.ts';
import { createFeePlan } from './create-fee-plan.ts';
import { lockNewestFeePlan } from './fee-plans.ts';

type Payload = { readonly terms: FeePlanTerms; readonly basePlanId: number };
type Shown = Pick<FeePlanProposal, 'terms' | 'base_id' | 'plan_id'>;

/**
 * A fee plan of two admins: approved, it is written, and the next session that opens takes it. What is approved are its
 * differences to the plan it was compared with, so that it follows this plan or none.
 *
 * Approving refuses `fee_plan_followed`, and what writing a plan refuses.
 */
export const feePlanKind: ListedKind<Payload, Shown> = {
  ...plainKind('fee_plan'),
  subject: 'fee_plan_proposal',
  roles: consoleFeePlans.approveFeePlan.access,
  operators,
  execute: async (tx, context, { payload, reason, proposedBy }, { actor, address }) => {
    const base = await lockNewestFeePlan(tx);
    if (payload.basePlanId !== base.id) throw new Refused('fee_plan_followed');
    const { id } = await createFeePlan(tx, {
      terms: payload.terms,
      note: reason,
      proposedBy,
      approvedBy: actor.id as bigint,
      address: address as string,
      now: context.now(),
    });
    return { resultId: BigInt(id), logged: { planId: Number(id), proposedBy } };
  },
  show: async (_db, proposals) =>
    proposals.map(({ payload, resultId }) => ({
      terms: payload.terms,
      base_id: payload.basePlanId.toString(),
      plan_id: resultId?.toString() ?? null,
    })),
};

/**
 * Proposes a fee plan (docs/product.md, sections 6 and 10). No plan is written: another admin has to approve it.
 *
 * Refuses `fee_plan_over_100`, `fee_plan_ranks`, `fee_plan_followed` when the plan it begins from is not the newest.
 */
export async function proposeFeePlan(
  context: Context,
  actor: OperatorActor,
  { base_id, terms, reason }: BodyOf<typeof consoleFeePlans.proposeFeePlan>,
  once?: Once,
): Promise<FeePlanProposal> {
  const refusal = checkWaterfall(readTerms(terms));
  if (refusal !== undefined) throw new Refused(refusal);
  return runOnce(context.db, once, async (tx) => {
    const { id: basePlanId } = await lockNewestFeePlan(tx);
    if (base_id !== basePlanId.toString()) throw new Refused('fee_plan_followed');
    const payload = { terms, basePlanId };
    return showProposal(tx, feePlanKind, await propose(tx, context, feePlanKind, actor, { payload, reason }));
  });
}
