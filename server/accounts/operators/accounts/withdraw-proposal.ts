import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { withdrawnMail } from '../../core/operator-mails.ts';
import { isGuarded } from '../../core/operator-rules.ts';
import type { OperatorAccount } from './account-sql.ts';
import { type Decider, decide } from './decide.ts';
import { findProposal, listProposalsOf, type Proposal, updateWithdrawn } from './proposal-sql.ts';
import { tellOperators } from './tell-operators.ts';

type By = { readonly by: Pick<OperatorAccount, 'id' | 'name'>; readonly address: string };

/**
 * Takes a proposal back that was not carried out yet, approved or not. Any admin may: stopping takes one. Refusals:
 * `proposal_not_found`, `proposal_ended`, those of `decide`.
 */
export function withdrawProposal(context: Context, decider: Decider, proposalId: bigint): Promise<Proposal> {
  return decide(context, decider, async (tx, by) => {
    const found = await findProposal(tx, proposalId);
    if (found === undefined) throw new Refused('proposal_not_found');
    if (found.doneAt !== null || found.withdrawnAt !== null) throw new Refused('proposal_ended');
    await withdraw(context, tx, found, { by, address: decider.address });
    return { result: (await findProposal(tx, proposalId)) ?? found, ended: [] };
  });
}

/** Whatever hangs on an operator who is no longer trusted with it: about them, proposed or approved by them. */
export async function withdrawAllOf(context: Context, tx: Tx, operatorId: bigint, by: By): Promise<void> {
  for (const proposal of await listProposalsOf(tx, operatorId)) await withdraw(context, tx, proposal, by);
}

async function withdraw(context: Context, tx: Tx, proposal: Proposal, { by, address }: By): Promise<void> {
  const { id, kind, operatorId, email, role } = proposal;
  await updateWithdrawn(tx, id, by.id, context.now());
  await writeAudit(tx, {
    actor: { kind: 'operator', id: by.id },
    action: 'operator.withdraw_proposal',
    subject: `operator_proposal:${id}`,
    after: { kind, operatorId, email, role },
    address,
  });
  await tellOperators(tx, withdrawnMail(context.config.brandName, by.name, proposal), {
    everybody: isGuarded(role) || kind === 'reset',
    ids: [proposal.proposedBy],
  });
}
