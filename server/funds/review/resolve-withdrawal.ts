import { actingAs, type Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { takeFound } from '../payouts/take-found.ts';
import { type Move, moveWithdrawal } from '../withdrawals/move-withdrawal.ts';
import { findWithdrawal, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { decideWithdrawal, type Verdict } from './withdrawal-decision.ts';

export type Resolution = Required<Verdict> &
  (
    | { readonly outcome: 'sent' | 'completed'; readonly transaction: string }
    | { readonly outcome: 'failed'; readonly reason: string }
  );

/**
 * Decides about a payout whose outcome is unknown, by a person who looked at the gateway (docs/product.md, section 5).
 * Before one is declared to have never left, the gateway is asked once more: when it has the payout after all, that is
 * written down and the decision refused, because the money would be both on its way and back in the wallet.
 *
 * Refuses `withdrawal_state`, `gateway_unavailable` when the gateway cannot be asked, and what every decision does.
 */
export async function resolveWithdrawal(
  context: Context,
  decider: Decider,
  resolution: Resolution,
  gateway: Gateway,
): Promise<WithdrawalRow> {
  if (resolution.outcome === 'failed') await refuseFound(context, gateway, resolution);
  return decideWithdrawal(context, decider, resolution, {
    refusal: ({ state }) => (state === 'uncertain' ? undefined : 'withdrawal_state'),
    carryOut: (tx, withdrawal) => moveWithdrawal(tx, context, moveOf(withdrawal, decider, resolution)),
  });
}

/** A gateway that was taken out of service cannot be asked: then the person's word stands. */
async function refuseFound(context: Context, gateway: Gateway, resolution: Resolution): Promise<void> {
  const seen = await findWithdrawal(context.db, resolution.withdrawalId);
  const isAskable = seen?.state === 'uncertain' && seen.version === resolution.version && seen.gateway === gateway.name;
  if (!isAskable) return;
  const payout = await gateway.findPayout(seen.reference);
  if (payout === undefined) return;
  await takeFound(context, seen, payout);
  throw new Refused('withdrawal_changed');
}

function moveOf(withdrawal: WithdrawalRow, decider: Decider, resolution: Resolution): Move {
  const about = { withdrawal, ...actingAs(decider) };
  if (resolution.outcome === 'failed') return { ...about, to: 'failed', note: resolution.reason };
  return { ...about, to: resolution.outcome, set: { transaction: resolution.transaction } };
}
