import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { approvalsNeeded } from '../core/withdrawal-rules.ts';
import { moveWithdrawal } from '../move-withdrawal.ts';
import { refuseUnlessPayable } from '../withdrawal-gate.ts';
import { updatePayout, type WithdrawalRow } from '../withdrawal-sql.ts';
import { countApprovals, insertStep } from '../withdrawal-step-sql.ts';
import { insertApproval } from './approval-sql.ts';
import { refuseOwn } from './refuse-own.ts';
import { actingAs, auditDecision, type Decider, decideWithdrawal, type Verdict } from './withdrawal-decision.ts';

const FIRST_APPROVAL = 'The first of two operators approved it.';

/**
 * Approves a withdrawal (product.md section 5). Up to $5,000 that a member asked for on one UTC day one operator is
 * enough; from there on two different ones have to, and the first leaves it `requested`, also when the sum was reached
 * by another withdrawal in the meantime. When the sum falls under $5,000 again, because another one was rejected, the
 * first may finish what they approved.
 *
 * Refuses `withdrawal_not_requested`, `own_withdrawal`, what the gate refuses (`account_frozen`, `withdrawals_frozen`,
 * `not_verified`, `payouts_stopped`), `approved_already`, and what every decision does.
 */
export function approveWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict>,
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: ({ state }) => (state === 'requested' ? undefined : 'withdrawal_not_requested'),
    carryOut: async (tx, withdrawal) => {
      await refuseOwn(tx, withdrawal, decider.operatorId);
      const approval = { withdrawalId: withdrawal.id, operatorId: decider.operatorId, now: context.now() };
      const isNew = await insertApproval(tx, approval);
      const { dayMicros } = await refuseUnlessPayable(tx, context, withdrawal);
      const missing = approvalsNeeded(dayMicros) - (await countApprovals(tx, withdrawal.id));
      if (missing > 0 && !isNew) throw new Refused('approved_already');
      if (missing > 0) return keepRequested(context, tx, decider, withdrawal);
      return moveWithdrawal(tx, context, { withdrawal, to: 'approved', ...actingAs(decider) });
    },
  });
}

async function keepRequested(
  context: Context,
  tx: Tx,
  decider: Decider,
  before: WithdrawalRow,
): Promise<WithdrawalRow> {
  const after = await updatePayout(tx, before, {}, context.now());
  await insertStep(tx, { withdrawalId: before.id, state: before.state, note: FIRST_APPROVAL, now: context.now() });
  await auditDecision(tx, decider, { action: 'withdrawal.first_approval', before, after });
  return after;
}
