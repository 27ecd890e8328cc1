import type { RefusalCode } from '#contract/refusals.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { refuseUnlessApproved } from '../withdrawals/payout-guard.ts';
import { updatePayout, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { refuseOwn } from './refuse-own.ts';
import { auditDecision, decideWithdrawal, type Verdict } from './withdrawal-decision.ts';

/**
 * Takes an approved withdrawal to pay it by hand: from its commit on nobody else and no job pays it (docs/product.md,
 * section 5).
 *
 * Refuses `withdrawal_state`, `own_withdrawal`, what the gate refuses, `approvals_missing`, and what every decision does.
 */
export function takeWithdrawal(context: Context, decider: Decider, verdict: Required<Verdict>): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: ({ state, payout_way }) => (state === 'approved' && payout_way === null ? undefined : 'withdrawal_state'),
    carryOut: async (tx, before) => {
      await refuseOwn(tx, before, decider.operatorId);
      await refuseUnlessApproved(tx, context, before);
      const set = { payoutWay: 'hand', handlerId: decider.operatorId } as const;
      const after = await updatePayout(tx, before, set, context.now());
      await auditDecision(tx, decider, { action: 'withdrawal.take', before, after });
      return after;
    },
  });
}

/** Gives it back unpaid. Refuses `withdrawal_state`, `not_allowed` to others, and what every decision does. */
export function returnWithdrawal(context: Context, decider: Decider, verdict: Verdict): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: (withdrawal) => refusalOfHandler(withdrawal, decider),
    carryOut: async (tx, before) => {
      const after = await updatePayout(tx, before, { payoutWay: null, handlerId: null }, context.now());
      await auditDecision(tx, decider, { action: 'withdrawal.return', before, after });
      return after;
    },
  });
}

/**
 * Says that it was paid, with the hash of the payment. Neither a freeze nor the switch stands in the way any more: the
 * money has left. Refuses `withdrawal_state`, `not_allowed` to others, and what every decision does.
 */
export function sendWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly transaction: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: (withdrawal) => refusalOfHandler(withdrawal, decider),
    carryOut: (tx, withdrawal) =>
      moveWithdrawal(tx, context, {
        withdrawal,
        to: 'sent',
        ...actingAs(decider),
        set: { transaction: verdict.transaction },
      }),
  });
}

function refusalOfHandler(withdrawal: WithdrawalRow, decider: Decider): RefusalCode | undefined {
  if (withdrawal.state !== 'approved' || withdrawal.payout_way !== 'hand') return 'withdrawal_state';
  return withdrawal.handler_id === decider.operatorId ? undefined : 'not_allowed';
}
