import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { disabledMail } from '../../core/operator-mails.ts';
import { isGuarded } from '../../core/operator-rules.ts';
import { deleteCredentials, updateDisabled } from './account-sql.ts';
import { endSignIns } from './carry-out.ts';
import { type Decider, decide } from './decide.ts';
import { findColleague } from './find-colleague.ts';
import { tellOperators } from './tell-operators.ts';
import { withdrawAllOf } from './withdraw-proposal.ts';

/**
 * Locks a colleague out at once and for good: password and second factor are gone, sign-ins end, and what they proposed or
 * approved and was not carried out is taken back. One admin is enough, because stopping somebody must be quick; the
 * one who decides is left, so there is always an admin. Refusals: those of `findColleague`, those of `decide`.
 */
export function disableOperator(
  context: Context,
  decider: Decider,
  { operatorId, why }: { readonly operatorId: bigint; readonly why: string },
): Promise<void> {
  return decide(context, decider, async (tx, by, now) => {
    const { address } = decider;
    const colleague = await findColleague(tx, by, operatorId, now);
    const { id, role } = colleague;
    // First of all the row: who signs in at this moment has it and is ended below, or waits for it and finds it disabled.
    await updateDisabled(tx, id, now);
    await deleteCredentials(tx, id);
    const ended = await endSignIns(tx, id);
    await writeAudit(tx, {
      actor: { kind: 'operator', id: by.id },
      action: 'operator.disable',
      subject: `operator:${id}`,
      before: { disabled: false },
      after: { disabled: true, why, endedSessions: ended.length },
      address,
    });
    await withdrawAllOf(context, tx, id, { by, address });
    const mail = disabledMail(context.config.brandName, by.name, colleague, why);
    await tellOperators(tx, mail, { everybody: isGuarded(role), ids: [id] });
    return { result: undefined, ended };
  });
}
