import type { OperatorRole } from '#contract/endpoint.ts';
import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { loweredMail } from '../../core/operator-mails.ts';
import { isHigher } from '../../core/operator-rules.ts';
import { type OperatorAccount, updateRole } from './account-sql.ts';
import { type AdminDecider, decideAboutOperators, findColleague } from './decide.ts';
import { endSignIns, type OperatorChange, proposeChange, withdrawChangesOf } from './operator-change.ts';
import { tellOperators } from './tell-operators.ts';

type Change = { readonly operatorId: bigint; readonly role: OperatorRole; readonly why: string };

/**
 * Gives a colleague another role: a lower one at once, a higher one by the rule of new accounts, as a proposal. All their
 * sign-ins end when it changes. Refusals: those of `findColleague`, `role_held`, `proposal_waiting`, those of `decide`.
 */
export function changeOperatorRole(
  context: Context,
  decider: AdminDecider,
  change: Change,
): Promise<OperatorChange | null> {
  return decideAboutOperators(context, decider, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, change.operatorId, now);
    if (colleague.role === change.role) throw new Refused('role_held');
    if (!isHigher(colleague.role, change.role)) return lower(tx, context, { by, colleague, change, decider });
    const { name, email } = colleague;
    return proposeChange(tx, context, decider, { kind: 'raise', name, email, ...change });
  });
}

async function lower(
  tx: Tx,
  context: Context,
  given: {
    readonly by: OperatorAccount;
    readonly colleague: OperatorAccount;
    readonly change: Change;
    readonly decider: AdminDecider;
  },
): Promise<null> {
  const { by, colleague, change, decider } = given;
  const { id, role: from } = colleague;
  const { role, why } = change;
  await updateRole(tx, id, role);
  const endedSessions = await endSignIns(tx, context, id);
  await writeAudit(tx, {
    ...actingAs(decider),
    action: 'operator.change_role',
    subject: `operator:${id}`,
    before: { role: from },
    after: { role, why, endedSessions },
  });
  await withdrawChangesOf(tx, context, id, decider);
  // A role that can be lowered is finance or admin.
  const mail = loweredMail(context.config.brandName, by.name, colleague, { from, to: role, why });
  await tellOperators(tx, mail, { everybody: true, ids: [id] });
  return null;
}
