import { english } from '#contract/texts.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { approvalsMissing } from '../core/withdrawal-rules.ts';
import { moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { refuseUnlessPayable } from '../withdrawals/payout-guard.ts';
import { insertStep, updatePayout, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { insertApproval, lockApprovals } from './approvals.ts';
import { auditDecision, type DecisionInput, decideWithdrawal } from './decide-withdrawal.ts';

const FIRST_APPROVAL = english.t`Approved by the first of two operators.`;

/**
 * Approves a withdrawal (docs/product.md, section 5). One operator suffices while the member's requests of the UTC day
 * are below $5,000. From there on two different ones are needed, and the first approval leaves it `requested`, even if
 * another withdrawal reached the sum meanwhile. When the sum falls below $5,000 again, because another one was
 * rejected, the first operator may complete the approval.
 *
 * An approval counts while its operator is active and has a payer role. An approved withdrawal can be approved again
 * when a needed approval no longer counts; until then it is not paid.
 *
 * Refuses `withdrawal_not_requested`, what the payout guard refuses (`account_frozen`, `withdrawals_frozen`,
 * `not_verified`, `payouts_stopped`), `approved_already`, and whatever `decideWithdrawal` refuses.
 */
export function approveWithdrawal(
  context: Context,
  actor: OperatorActor,
  input: Required<DecisionInput>,
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, actor, input, {
    refusal: ({ state, payout_way }) =>
      state === 'requested' || (state === 'approved' && payout_way === null) ? undefined : 'withdrawal_not_requested',
    execute: async (tx, withdrawal) => {
      const daySumMicros = await refuseUnlessPayable(tx, context, withdrawal);
      const isApproved = withdrawal.state === 'approved';
      const before = await lockApprovals(tx, withdrawal.id);
      const isMissing = approvalsMissing({ isApproved, daySumMicros, approvals: before }) > 0;
      if (isApproved && !isMissing) throw new Refused('withdrawal_not_requested');
      const isNew = !before.some(({ counts, operatorId }) => counts && operatorId === actor.operatorId);
      if (isMissing && !isNew) throw new Refused('approved_already');
      const approval = { withdrawalId: withdrawal.id, operatorId: actor.operatorId, now: context.now() };
      if (isNew) await insertApproval(tx, approval);
      if (isApproved) return renewApproval(context, tx, actor, withdrawal);
      const approvals = await lockApprovals(tx, withdrawal.id);
      if (approvalsMissing({ isApproved, daySumMicros, approvals }) > 0) {
        return keepRequested(context, tx, actor, withdrawal);
      }
      return moveWithdrawal(tx, context, { withdrawal, to: 'approved', ...actingAs(actor) });
    },
  });
}

/** Replaces an approval that no longer counts. The member was already notified of the approval. */
async function renewApproval(
  context: Context,
  tx: Tx,
  actor: OperatorActor,
  before: WithdrawalRow,
): Promise<WithdrawalRow> {
  const after = await updatePayout(tx, before, {}, context.now());
  await auditDecision(tx, actor, { action: 'withdrawal.renew_approval', before, after });
  return after;
}

async function keepRequested(
  context: Context,
  tx: Tx,
  actor: OperatorActor,
  before: WithdrawalRow,
): Promise<WithdrawalRow> {
  const after = await updatePayout(tx, before, {}, context.now());
  await insertStep(tx, { withdrawalId: before.id, state: before.state, note: FIRST_APPROVAL, now: context.now() });
  await auditDecision(tx, actor, { action: 'withdrawal.first_approval', before, after });
  return after;
}
