import type { OperatorRole } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../../core/login-id.ts';
import { findAccountByEmail } from './account-sql.ts';
import { type AdminDecider, decideAboutOperators } from './decide.ts';
import { type OperatorChange, proposeChange } from './operator-change.ts';

/**
 * Invites somebody as an operator; a disabled account comes back this way. Refusals: `operator_exists`,
 * `proposal_waiting`, those of `decide`.
 */
export function inviteOperator(
  context: Context,
  decider: AdminDecider,
  input: { readonly name: string; readonly email: string; readonly role: OperatorRole; readonly why: string },
): Promise<OperatorChange> {
  const { name, role, why } = input;
  const email = readLoginId(input.email).value;
  return decideAboutOperators(context, decider, async (tx, _by, now) => {
    const found = await findAccountByEmail(tx, email, now);
    if (found !== undefined && found.disabledAt === null) throw new Refused('operator_exists');
    const operatorId = found?.id ?? null;
    return proposeChange(tx, context, decider, { kind: 'invite', operatorId, name, email, role, why });
  });
}
