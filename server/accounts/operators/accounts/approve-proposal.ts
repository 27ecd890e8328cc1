import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { Refused } from '#server/refused.ts';
import { approvedMail } from '../../core/operator-mails.ts';
import { dueAfterApproval } from '../../core/operator-rules.ts';
import { carryOut } from './carry-out.ts';
import { consoleUrl } from './console-url.ts';
import { type Decider, decide } from './decide.ts';
import { findProposal, type Proposal, updateApproved } from './proposal-sql.ts';
import { tellOperators } from './tell-operators.ts';

/**
 * The word of a second admin: neither who proposed it nor whom it is about. A reset is carried out with it; an account or a
 * higher role waits for 24 hours more, in which any admin can take it back. Refusals: `proposal_not_found`,
 * `proposal_not_waiting`, `own_proposal`, those of `decide`.
 */
export function approveProposal(context: Context, decider: Decider, proposalId: bigint): Promise<Proposal> {
  return decide(context, decider, async (tx, by, now) => {
    const found = await findProposal(tx, proposalId);
    if (found === undefined) throw new Refused('proposal_not_found');
    if (found.dueAt !== null || found.withdrawnAt !== null) throw new Refused('proposal_not_waiting');
    if (found.proposedBy === by.id || found.operatorId === by.id) throw new Refused('own_proposal');
    const dueAt = dueAfterApproval(found.kind, now);
    await updateApproved(tx, proposalId, { by: by.id, at: now, dueAt });
    const actor = { kind: 'operator', id: by.id } as const;
    await writeAudit(tx, {
      actor,
      action: 'operator.approve_proposal',
      subject: `operator_proposal:${proposalId}`,
      after: { kind: found.kind, operatorId: found.operatorId, email: found.email, role: found.role, dueAt },
      address: decider.address,
    });
    const mail = approvedMail(context.config.brandName, by.name, found, dueAt, consoleUrl(context, 'operators'));
    await tellOperators(tx, mail, { everybody: true, ids: found.operatorId === null ? [] : [found.operatorId] });
    const isDue = dueAt <= now;
    const ended = isDue ? await carryOut(context, tx, found, { actor, address: decider.address }) : [];
    return { result: (await findProposal(tx, proposalId)) ?? found, ended };
  });
}
