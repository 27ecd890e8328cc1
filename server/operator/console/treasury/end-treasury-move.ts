import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { actingAs, byAnother, byOneself, type Decider, decideProposal, type Verdict } from '../proposal-decision.ts';
import { findTreasuryMove, lockTreasuryMove, type TreasuryMoveRow, updateTreasuryMove } from './treasury-move-sql.ts';

/** Rejects a move that another operator recorded. Refuses what every decision does. */
export const rejectTreasuryMove = (
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<TreasuryMoveRow> => endTreasuryMove(context, decider, verdict, { state: 'rejected', note: verdict.reason });

/** Takes back a move that one recorded oneself. Refuses what every decision does. */
export const withdrawTreasuryMove = (context: Context, decider: Decider, verdict: Verdict): Promise<TreasuryMoveRow> =>
  endTreasuryMove(context, decider, verdict, { state: 'withdrawn' });

const ends = {
  rejected: { who: byAnother, action: 'treasury.reject' },
  withdrawn: { who: byOneself, action: 'treasury.withdraw' },
} as const;

function endTreasuryMove(
  context: Context,
  decider: Decider,
  { id, version }: Verdict,
  { state, note }: { readonly state: keyof typeof ends; readonly note?: string },
): Promise<TreasuryMoveRow> {
  const { who, action } = ends[state];
  const verdict = { id, version };
  return decideProposal(context, decider, verdict, {
    find: findTreasuryMove,
    lock: lockTreasuryMove,
    who,
    carryOut: async (tx, row) => {
      const after = await updateTreasuryMove(tx, { id, state, by: decider.operatorId, now: context.now(), note });
      await writeAudit(tx, {
        ...actingAs(decider),
        action,
        subject: `treasury_move:${id}`,
        before: { state: row.state },
        after: { state, note },
      });
      return after;
    },
  });
}
