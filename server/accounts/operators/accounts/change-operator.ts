import type { OperatorRole } from '#contract/endpoint.ts';
import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { disabledEmail, loweredEmail } from '../../core/operator-emails.ts';
import { isGuarded, isHigher } from '../../core/operator-rules.ts';
import { endLegalConfirmation } from '../legal/legal-confirmation.ts';
import { deleteCredentials, type OperatorAccount, updateDisabled, updateRole } from './account-sql.ts';
import { type AdminActor, decideAboutOperators, findColleague, notifyOperators } from './decide.ts';
import { endSignIns, type OperatorChange, proposeChange, withdrawChangesOf } from './operator-change.ts';

type Change = { readonly operatorId: bigint; readonly role: OperatorRole; readonly why: string };

/**
 * Gives a colleague another role: a lower one at once, a higher one by the rule of new accounts, as a proposal. All their
 * sign-ins end when it changes. Refusals: those of `findColleague`, `role_held`, `proposal_waiting`, those of `decide`.
 */
export function changeOperatorRole(
  context: Context,
  actor: AdminActor,
  change: Change,
): Promise<OperatorChange | null> {
  return decideAboutOperators(context, actor, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, change.operatorId, now);
    if (colleague.role === change.role) throw new Refused('role_held');
    if (!isHigher(colleague.role, change.role)) return lower(tx, context, { by, colleague, change, actor });
    const { name, email } = colleague;
    return proposeChange(tx, context, actor, { kind: 'raise', name, email, ...change });
  });
}

async function lower(
  tx: Tx,
  context: Context,
  given: {
    readonly by: OperatorAccount;
    readonly colleague: OperatorAccount;
    readonly change: Change;
    readonly actor: AdminActor;
  },
): Promise<null> {
  const { by, colleague, change, actor } = given;
  const { id, role: from } = colleague;
  const { role, why } = change;
  await updateRole(tx, id, role);
  const endedSessions = await endSignIns(tx, context, id);
  await writeAudit(tx, {
    ...actingAs(actor),
    action: 'operator.change_role',
    subject: `operator:${id}`,
    before: { role: from },
    after: { role, why, endedSessions },
  });
  await withdrawChangesOf(tx, context, id, actor);
  await endLegalConfirmation(tx, id, { ...actingAs(actor), why: 'role' });
  // A role that can be lowered is finance or admin.
  const mail = loweredEmail(context.config.brandName, by.name, colleague, { from, to: role, why });
  await notifyOperators(tx, mail, { everybody: true, ids: [id] });
  return null;
}

/**
 * Locks a colleague out at once and for good: password and second factor are gone, sign-ins end, and what they proposed or
 * approved and was not carried out is taken back. One admin is enough, because stopping somebody must be quick; the
 * one who decides is left, so there is always an admin. Refusals: those of `findColleague`, those of `decide`.
 */
export function disableOperator(
  context: Context,
  actor: AdminActor,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<void> {
  return decideAboutOperators(context, actor, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, operatorId, now);
    const { id, role } = colleague;
    // First of all the row: who signs in at this moment has it and is ended below, or waits for it and finds it disabled.
    await updateDisabled(tx, id, now);
    await deleteCredentials(tx, id);
    const endedSessions = await endSignIns(tx, context, id);
    await writeAudit(tx, {
      ...actingAs(actor),
      action: 'operator.disable',
      subject: `operator:${id}`,
      before: { disabled: false },
      after: { disabled: true, why, endedSessions },
    });
    await withdrawChangesOf(tx, context, id, actor);
    await endLegalConfirmation(tx, id, { ...actingAs(actor), why: 'disabled' });
    const mail = disabledEmail(context.config.brandName, by.name, colleague, why);
    await notifyOperators(tx, mail, { everybody: isGuarded(role), ids: [id] });
  });
}
