import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { proposedMail } from '../../core/operator-mails.ts';
import { courseOf, isGuarded } from '../../core/operator-rules.ts';
import { hadTwoAdmins, type OperatorAccount } from './account-sql.ts';
import { carryOut } from './carry-out.ts';
import { consoleUrl } from './console-url.ts';
import type { Decision } from './decide.ts';
import { findProposal, insertProposal, type Proposal, type ProposalDraft } from './proposal-sql.ts';
import { tellOperators } from './tell-operators.ts';

/**
 * Writes down what an admin wants done about an operator account, and does it at once where it takes nobody else
 * (docs/product.md, section 10). Refusal: `proposal_waiting` while another one about the same account has not ended.
 */
export async function propose(
  context: Context,
  tx: Tx,
  wanted: Pick<ProposalDraft, 'kind' | 'operatorId' | 'name' | 'email' | 'role' | 'why'>,
  { by, address }: { readonly by: OperatorAccount; readonly address: string },
): Promise<Decision<Proposal>> {
  const now = context.now();
  const course = courseOf(wanted, await hadTwoAdmins(tx), now);
  const proposal = await insertProposal(tx, { ...wanted, ...course, proposedBy: by.id, proposedAt: now });
  if (proposal === undefined) throw new Refused('proposal_waiting');
  const { id, kind, email, role, why, needsApproval } = proposal;
  const actor = { kind: 'operator', id: by.id } as const;
  await writeAudit(tx, {
    actor,
    action: 'operator.propose',
    subject: `operator_proposal:${id}`,
    after: { kind, operatorId: proposal.operatorId, email, role, why, needsApproval },
    address,
  });
  if (isGuarded(role) || kind === 'reset') {
    const url = consoleUrl(context, 'operators');
    const mail = proposedMail(context.config.brandName, by.name, proposal, needsApproval, url);
    await tellOperators(tx, mail, { everybody: true, ids: [] });
  }
  if (needsApproval) return { result: proposal, ended: [] };
  const ended = await carryOut(context, tx, proposal, { actor, address });
  return { result: (await findProposal(tx, id)) ?? proposal, ended };
}
