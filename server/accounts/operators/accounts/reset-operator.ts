import type { Context } from '#server/context.ts';
import { type AdminDecider, decideAboutOperators, findColleague } from './decide.ts';
import { type OperatorChange, proposeChange } from './operator-change.ts';

/**
 * For a colleague who lost the phone with the authenticator app, or the password: both are taken away, all sign-ins end
 * and a new invitation is mailed. Once two admins were there it takes a second one, or one could take over whoever they
 * reset. Refusals: those of `findColleague`, `proposal_waiting`, those of `decide`.
 */
export const resetOperator = (
  context: Context,
  decider: AdminDecider,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<OperatorChange> =>
  decideAboutOperators(context, decider, async (tx, by, now) => {
    const { name, email, role } = await findColleague(tx, by, operatorId, now);
    return proposeChange(tx, context, decider, { kind: 'reset', operatorId, name, email, role, why });
  });
