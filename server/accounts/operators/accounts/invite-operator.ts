import type { OperatorRole } from '#contract/endpoint.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { readLoginId } from '../../core/login-id.ts';
import { findAccountByEmail } from './account-sql.ts';
import { type Decider, decide } from './decide.ts';
import type { Proposal } from './proposal-sql.ts';
import { propose } from './propose.ts';

/**
 * Invites somebody as an operator; a disabled account comes back this way. Refusals: `operator_exists`,
 * `proposal_waiting`, those of `decide`.
 */
export function inviteOperator(
  context: Context,
  decider: Decider,
  input: { readonly name: string; readonly email: string; readonly role: OperatorRole; readonly why: string },
): Promise<Proposal> {
  const { name, role, why } = input;
  const email = readLoginId(input.email).value;
  return decide(context, decider, async (tx, by, now) => {
    const found = await findAccountByEmail(tx, email, now);
    if (found !== undefined && found.disabledAt === null) throw new Refused('operator_exists');
    const wanted = { kind: 'invite', operatorId: found?.id ?? null, name, email, role, why } as const;
    return propose(context, tx, wanted, { by, address: decider.address });
  });
}
