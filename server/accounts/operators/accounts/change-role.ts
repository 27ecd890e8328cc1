import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { loweredMail } from '../../core/operator-mails.ts';
import { isHigher } from '../../core/operator-rules.ts';
import { type OperatorAccount, updateRole } from './account-sql.ts';
import { endSignIns } from './carry-out.ts';
import { type Decider, type Decision, decide } from './decide.ts';
import { findColleague } from './find-colleague.ts';
import type { Proposal } from './proposal-sql.ts';
import { propose } from './propose.ts';
import { tellOperators } from './tell-operators.ts';
import { withdrawAllOf } from './withdraw-proposal.ts';

type Change = { readonly operatorId: bigint; readonly role: OperatorRole; readonly why: string };

/**
 * Gives a colleague another role: a lower one at once, a higher one by the rule of new accounts, as a proposal. All their
 * sign-ins end when it changes. Refusals: those of `findColleague`, `role_held`, `proposal_waiting`, those of `decide`.
 */
export function changeOperatorRole(context: Context, decider: Decider, change: Change): Promise<Proposal | null> {
  return decide(context, decider, async (tx, by, now): Promise<Decision<Proposal | null>> => {
    const colleague = await findColleague(tx, by, change.operatorId, now);
    if (colleague.role === change.role) throw new Refused('role_held');
    if (!isHigher(colleague.role, change.role)) return lower(context, tx, { by, colleague, change, decider });
    const { id: operatorId, name, email } = colleague;
    const wanted = { kind: 'raise', operatorId, name, email, role: change.role, why: change.why } as const;
    return propose(context, tx, wanted, { by, address: decider.address });
  });
}

async function lower(
  context: Context,
  tx: Tx,
  given: {
    readonly by: OperatorAccount;
    readonly colleague: OperatorAccount;
    readonly change: Change;
    readonly decider: Decider;
  },
): Promise<Decision<null>> {
  const { by, colleague, change, decider } = given;
  await updateRole(tx, colleague.id, change.role);
  const ended = await endSignIns(tx, colleague.id);
  await writeAudit(tx, {
    actor: { kind: 'operator', id: by.id },
    action: 'operator.change_role',
    subject: `operator:${colleague.id}`,
    before: { role: colleague.role },
    after: { role: change.role, why: change.why, endedSessions: ended.length },
    address: decider.address,
  });
  await withdrawAllOf(context, tx, colleague.id, { by, address: decider.address });
  const words = { from: colleague.role, to: change.role, why: change.why };
  // A role that can be lowered is finance or admin.
  await tellOperators(tx, loweredMail(context.config.brandName, by.name, colleague, words), {
    everybody: true,
    ids: [colleague.id],
  });
  return { result: null, ended };
}
