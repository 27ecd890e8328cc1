import type { Context } from '#server/context.ts';
import { moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { actingAs, type Decider, decideWithdrawal, type Verdict } from './withdrawal-decision.ts';

/**
 * Rejects a withdrawal that is requested, or approved and that nobody and nothing began to pay; the amount goes back to
 * its wallet and the day's limit, and the member reads the reason.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function rejectWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: (withdrawal) => (isUnpaid(withdrawal) ? undefined : 'withdrawal_state'),
    carryOut: (tx, withdrawal) =>
      moveWithdrawal(tx, context, {
        withdrawal,
        to: 'rejected',
        ...actingAs(decider),
        note: verdict.reason,
      }),
  });
}

const isUnpaid = ({ state, payout_way }: WithdrawalRow) =>
  state === 'requested' || (state === 'approved' && payout_way === null);
