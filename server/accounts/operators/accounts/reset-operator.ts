import type { Context } from '#server/context.ts';
import { type Decider, decide } from './decide.ts';
import { findColleague } from './find-colleague.ts';
import type { Proposal } from './proposal-sql.ts';
import { propose } from './propose.ts';

/**
 * For a colleague who lost the phone with the authenticator app, or the password: both are taken away, all sign-ins end
 * and a new invitation is mailed. Once two admins were there it takes a second one, or one could take over whoever they
 * reset. Refusals: those of `findColleague`, `proposal_waiting`, those of `decide`.
 */
export function resetOperator(
  context: Context,
  decider: Decider,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<Proposal> {
  return decide(context, decider, async (tx, by, now) => {
    const { id, name, email, role } = await findColleague(tx, by, operatorId, now);
    const wanted = { kind: 'reset', operatorId: id, name, email, role, why } as const;
    return propose(context, tx, wanted, { by, address: decider.address });
  });
}
