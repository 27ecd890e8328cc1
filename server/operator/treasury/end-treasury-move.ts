import { consoleTreasury } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { type ProposalKind, rejectProposal, withdrawProposal } from '../end-proposal.ts';
import type { Decider, Verdict } from '../proposal-decision.ts';
import { findTreasuryMove, lockTreasuryMove, type TreasuryMoveRow, updateTreasuryMove } from './treasury-move-sql.ts';

const kind: ProposalKind<TreasuryMoveRow> = {
  find: findTreasuryMove,
  lock: lockTreasuryMove,
  roles: consoleTreasury.approveTreasuryMove.access,
  update: updateTreasuryMove,
  action: 'treasury',
  subject: 'treasury_move',
};

/** Rejects a move that another operator recorded. Refuses what every decision does. */
export const rejectTreasuryMove = (
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<TreasuryMoveRow> => rejectProposal(kind, context, decider, verdict);

/** Takes back a move that one recorded oneself. Refuses what every decision does. */
export const withdrawTreasuryMove = (context: Context, decider: Decider, verdict: Verdict): Promise<TreasuryMoveRow> =>
  withdrawProposal(kind, context, decider, verdict);
