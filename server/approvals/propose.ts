import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { insertUnderNewReference } from '#server/random-text.ts';
import { Refused } from '#server/refused.ts';
import { actingAs, type OperatorActor } from './decide.ts';
import { executeProposal } from './execute-proposal.ts';
import type { Executor, ProposalKind } from './kind.ts';
import { insertProposal, type NewProposal, type Proposal } from './proposal-sql.ts';

type Draft<Payload> = Omit<NewProposal<Payload>, 'reference' | 'by' | 'now' | 'needsApproval'> & {
  /** False where one operator is enough: executed at once, or at `dueAt`. */
  readonly needsApproval?: boolean;
  /** The requester, if not the operator. */
  readonly executor?: Executor;
};

/**
 * Records a proposal. Refuses `proposal_waiting` while another one about the same operator account is open.
 */
export async function propose<Payload extends object>(
  tx: Tx,
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  { needsApproval = true, executor = actingAs(actor), ...draft }: Draft<Payload>,
): Promise<Proposal<Payload>> {
  const insert = (reference: string | null) =>
    insertProposal(tx, kind.name, {
      ...draft,
      reference,
      needsApproval,
      by: actor.operatorId,
      now: context.now(),
    });
  const proposal = kind.name === 'operator' ? await insert(null) : await insertUnderNewReference(kind.name, insert);
  if (proposal === undefined) throw new Refused('proposal_waiting');
  const { id, reference, memberId, operatorId, payload, reason } = proposal;
  await writeAudit(tx, {
    ...executor,
    action: kind.action('propose'),
    subject: `${kind.subject}:${id}`,
    after: {
      reference: reference ?? undefined,
      memberId: memberId ?? undefined,
      operatorId: operatorId ?? undefined,
      ...payload,
      reason,
      needsApproval,
      dueAt: draft.dueAt,
    },
  });
  await kind.notify?.(tx, context, 'proposed', proposal, actor.operatorId);
  if (needsApproval || draft.dueAt !== undefined) return proposal;
  return (await executeProposal(tx, context, kind, proposal, actingAs(actor))).proposal;
}
