import { consoleAdjustments } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { type ProposalKind, rejectProposal, withdrawProposal } from '../end-proposal.ts';
import type { Decider, Verdict } from '../proposal-decision.ts';
import { type AdjustmentRow, findAdjustment, lockAdjustment, updateAdjustment } from './adjustment-sql.ts';

const kind: ProposalKind<AdjustmentRow> = {
  find: findAdjustment,
  lock: lockAdjustment,
  roles: consoleAdjustments.approveAdjustment.access,
  update: updateAdjustment,
  action: 'adjustment',
  subject: 'adjustment',
};

/** Rejects a correction that another operator proposed. Refuses what every decision does. */
export const rejectAdjustment = (
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<AdjustmentRow> => rejectProposal(kind, context, decider, verdict);

/** Takes back a correction that one proposed oneself. Refuses what every decision does. */
export const withdrawAdjustment = (context: Context, decider: Decider, verdict: Verdict): Promise<AdjustmentRow> =>
  withdrawProposal(kind, context, decider, verdict);
