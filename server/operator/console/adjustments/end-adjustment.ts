import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { actingAs, byAnother, byOneself, type Decider, decideProposal, type Verdict } from '../proposal-decision.ts';
import { type AdjustmentRow, findAdjustment, lockAdjustment, updateAdjustment } from './adjustment-sql.ts';

/** Rejects a correction that another operator proposed. Refuses what every decision does. */
export const rejectAdjustment = (
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<AdjustmentRow> => endAdjustment(context, decider, verdict, { state: 'rejected', note: verdict.reason });

/** Takes back a correction that one proposed oneself. Refuses what every decision does. */
export const withdrawAdjustment = (context: Context, decider: Decider, verdict: Verdict): Promise<AdjustmentRow> =>
  endAdjustment(context, decider, verdict, { state: 'withdrawn' });

const ends = {
  rejected: { who: byAnother, action: 'adjustment.reject' },
  withdrawn: { who: byOneself, action: 'adjustment.withdraw' },
} as const;

function endAdjustment(
  context: Context,
  decider: Decider,
  { id, version }: Verdict,
  { state, note }: { readonly state: keyof typeof ends; readonly note?: string },
): Promise<AdjustmentRow> {
  const { who, action } = ends[state];
  const verdict = { id, version };
  return decideProposal(context, decider, verdict, {
    find: findAdjustment,
    lock: lockAdjustment,
    who,
    carryOut: async (tx, row) => {
      const after = await updateAdjustment(tx, { id, state, by: decider.operatorId, now: context.now(), note });
      await writeAudit(tx, {
        ...actingAs(decider),
        action,
        subject: `adjustment:${id}`,
        before: { state: row.state },
        after: { state, note },
      });
      return after;
    },
  });
}
