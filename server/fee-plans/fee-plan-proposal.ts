import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '#contract/endpoint.ts';
import type { FeePlan, FeePlanTerms } from '#contract/fee-plan.ts';
import { consoleFeePlans, type FeePlanProposal } from '#contract/operator/fee-plans.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { checkWaterfall, readTerms, showTerms } from './core/fee-plan.ts';
import { findOpenedPlanId, insertPlan, lockNewestFeePlan, showFeePlan } from './fee-plans.ts';

type Payload = { readonly terms: FeePlanTerms; readonly basePlanId: number };
type Shown = Pick<FeePlanProposal, 'terms' | 'base_id' | 'plan_id'>;

/**
 * A fee plan proposed by one admin and approved by another; it applies from the next session to open. The approval covers
 * its differences from the base plan, so it is refused once another plan has followed that one.
 *
 * Approving refuses `fee_plan_followed`, and whatever `createFeePlan` refuses.
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
 * Proposes a fee plan (docs/product.md, sections 6 and 10), which another admin has to approve.
 *
 * Refuses `fee_plan_over_100`, `fee_plan_ranks`, `fee_plan_followed` when its base plan is not the newest,
 * and `fee_plan_unchanged` when it has the same terms.
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
    const base = await lockNewestFeePlan(tx);
    if (base_id !== base.id.toString()) throw new Refused('fee_plan_followed');
    if (isDeepStrictEqual(terms, showTerms(base))) throw new Refused('fee_plan_unchanged');
    const payload = { terms, basePlanId: base.id };
    return showProposal(tx, feePlanKind, await propose(tx, context, feePlanKind, actor, { payload, reason }));
  });
}

type NewFeePlanInput = {
  readonly terms: FeePlanTerms;
  readonly note: string;
  /** Two different operators. */
  readonly proposedBy: bigint;
  readonly approvedBy: bigint;
  /** IP address of the approving operator. */
  readonly address: string;
  readonly now: Date;
};

/**
 * Creates a fee plan (docs/product.md, section 6). It applies from the next session to open; an open session keeps its
 * plan. Of two plans created concurrently the higher id is the newer. The audit log records the previous plan as
 * `before`, and both operators.
 *
 * @throws Refused fee_plan_over_100, fee_plan_ranks
 */
export async function createFeePlan(tx: Tx, input: NewFeePlanInput): Promise<FeePlan> {
  const { terms, note, proposedBy, approvedBy, address, now } = input;
  const read = readTerms(terms);
  const refusal = checkWaterfall(read);
  if (refusal !== undefined) throw new Refused(refusal);
  const before = await lockNewestFeePlan(tx);
  const plan = await insertPlan(tx, { terms: read, note, operatorId: proposedBy, createdAt: now });
  const ids = { newestId: plan.id, currentId: (await findOpenedPlanId(tx)) ?? plan.id };
  const shown = showFeePlan(plan, ids);
  await writeAudit(tx, {
    actor: { kind: 'operator', id: approvedBy },
    action: 'fee_plan.create',
    subject: `fee_plan:${plan.id}`,
    before: logged(showFeePlan(before, ids)),
    after: { ...logged(shown), proposedBy, approvedBy },
    address,
  });
  return shown;
}

const logged = ({ id, terms, note }: FeePlan) => ({ id, terms, note });
