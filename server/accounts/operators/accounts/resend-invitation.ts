import { actingAs } from '#server/approvals/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { type AdminDecider, decideAboutOperators, findColleague } from './decide.ts';
import { sendInvitation } from './send-invitation.ts';

/**
 * Mails a new link to the same address, for one that was lost or is over. Refusals: those of `findColleague`,
 * `operator_not_invited` once a password was set, those of `decide`.
 */
export function resendInvitation(context: Context, decider: AdminDecider, operatorId: bigint): Promise<void> {
  return decideAboutOperators(context, decider, async (tx, by, now) => {
    const colleague = await findColleague(tx, by, operatorId, now);
    if (colleague.hasPassword) throw new Refused('operator_not_invited');
    const { expiresAt } = await sendInvitation(context, tx, colleague, false);
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'operator.resend_invitation',
      subject: `operator:${operatorId}`,
      after: { email: colleague.email, expiresAt },
    });
  });
}
