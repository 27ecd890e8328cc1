import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { forgetCallers } from '../../sign-in/find-caller.ts';
import { lockDecisions } from './account-sql.ts';
import { carryOut } from './carry-out.ts';
import { findDueProposal } from './proposal-sql.ts';

/**
 * Job: carries out the approved proposals whose day of waiting is over, each in a transaction of its own under the lock of
 * decisions, so that one is done once whoever else looks for it, and one that is taken back at this moment is not.
 *
 * @returns how many were done
 */
export async function carryOutDueProposals(context: Context): Promise<number> {
  for (let done = 0; ; done += 1) {
    const ended = await inTransaction(context.db, async (tx) => {
      await lockDecisions(tx);
      const due = await findDueProposal(tx, context.now());
      return due && carryOut(context, tx, due, { actor: { kind: 'system', id: null } });
    });
    if (ended === undefined) return done;
    forgetCallers(context, ended);
  }
}
