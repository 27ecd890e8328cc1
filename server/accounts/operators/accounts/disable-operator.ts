import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { disabledMail } from '../../core/operator-mails.ts';
import { isGuarded } from '../../core/operator-rules.ts';
import { deleteCredentials, updateDisabled } from './account-sql.ts';
import { type AdminDecider, decideAboutOperators, findColleague } from './decide.ts';
import { endSignIns, withdrawChangesOf } from './operator-change.ts';
import { tellOperators } from './tell-operators.ts';

/**
 * Locks a colleague out at once and for good: password and second factor are gone, sign-ins end, and what they proposed or
 * approved and was not carried out is taken back. One admin is enough, because stopping somebody must be quick; the
 * one who decides is left, so there is always an admin. Refusals: those of `findColleague`, those of `decide`.
 */
export function disableOperator(
  context: Context,
  decider: AdminDecider,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<void> {
  return decideAboutOperators(context, decider, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, operatorId, now);
    const { id, role } = colleague;
    // First of all the row: who signs in at this moment has it and is ended below, or waits for it and finds it disabled.
    await updateDisabled(tx, id, now);
    await deleteCredentials(tx, id);
    const endedSessions = await endSignIns(tx, context, id);
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'operator.disable',
      subject: `operator:${id}`,
      before: { disabled: false },
      after: { disabled: true, why, endedSessions },
    });
    await withdrawChangesOf(tx, context, id, decider);
    const mail = disabledMail(context.config.brandName, by.name, colleague, why);
    await tellOperators(tx, mail, { everybody: isGuarded(role), ids: [id] });
  });
}
