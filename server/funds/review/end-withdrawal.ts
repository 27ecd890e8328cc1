import type { RefusalCode } from '#contract/refusals.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { decideWithdrawal, type Verdict } from './withdrawal-decision.ts';

/**
 * Says that a payment made by hand has arrived: what was held is paid out of the books and the fee taken.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function completeWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict>,
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: refusalOfEnd,
    carryOut: (tx, withdrawal) => moveWithdrawal(tx, context, { withdrawal, to: 'completed', ...actingAs(decider) }),
  });
}

/**
 * Says that a payment made by hand came back: the whole amount goes back to its wallet, and no fee is taken.
 *
 * Refuses `withdrawal_state`, and what every decision does.
 */
export function failWithdrawal(
  context: Context,
  decider: Decider,
  verdict: Required<Verdict> & { readonly reason: string },
): Promise<WithdrawalRow> {
  return decideWithdrawal(context, decider, verdict, {
    refusal: refusalOfEnd,
    carryOut: (tx, withdrawal) =>
      moveWithdrawal(tx, context, { withdrawal, to: 'failed', ...actingAs(decider), note: verdict.reason }),
  });
}

/** Of a payout that the gateway has under a name of its own, the gateway says how it ended, and nobody else does. */
const refusalOfEnd = ({ state, payout_id }: WithdrawalRow): RefusalCode | undefined =>
  state === 'sent' && payout_id === null ? undefined : 'withdrawal_state';

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
