import type { OperatorRole } from '#contract/endpoint.ts';
import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { disabledEmail, loweredEmail } from '../../core/operator-emails.ts';
import { isGuarded, isHigher } from '../../core/operator-rules.ts';
import { endSignIns } from '../end-sign-ins.ts';
import { endLegalConfirmation } from '../legal/legal-confirmation.ts';
import { deleteCredentials, type OperatorAccount, updateDisabled, updateLowered } from './account-sql.ts';
import { type AdminActor, consoleUrl, decideAboutOperators, findColleague, notifyOperators } from './decide.ts';
import { type OperatorChange, proposeChange, withdrawChangesOf } from './operator-change.ts';

type Change = { readonly operatorId: bigint; readonly role: OperatorRole; readonly why: string };

/**
 * Changes the role of another operator: a lower one immediately, a higher one as a proposal, like a new account. All
 * their sign-ins end when it changes. Refuses what `findColleague` does, `role_held`, `proposal_waiting`, and what
 * `decide` does.
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
  await updateLowered(tx, id, role, context.now());
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
  const url = consoleUrl(context, 'operators');
  // A role that can be lowered is finance or admin.
  const mail = loweredEmail(context.config.brandName, by.name, colleague, { from, to: role, why }, url);
  await notifyOperators(tx, mail, { everybody: true, ids: [id] });
  return null;
}

/**
 * Disables another operator immediately: credentials are deleted, sign-ins end, and proposals that they made or
 * approved and that were not executed yet are withdrawn. One admin is enough, because this must be quick; nobody can
 * disable themselves, so an admin always remains. Refuses what `findColleague` and `decide` do.
 */
export function disableOperator(
  context: Context,
  actor: AdminActor,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<void> {
  return decideAboutOperators(context, actor, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, operatorId, now);
    const { id, role } = colleague;
    // Locks the row first: a concurrent sign-in has it and is ended below, or waits for it and finds it disabled.
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
    const url = consoleUrl(context, 'operators');
    const mail = disabledEmail(context.config.brandName, by.name, colleague, why, url);
    await notifyOperators(tx, mail, { everybody: isGuarded(role), ids: [id] });
  });
}
