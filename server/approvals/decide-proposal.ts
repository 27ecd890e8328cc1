import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { doesCount } from './core/approvals.ts';
import { actingAs, decide, type OperatorActor } from './decide.ts';
import { endProposal, executeProposal } from './execute-proposal.ts';
import { type ProposalKind, proposersOf } from './kind.ts';
import { findProposal, lockProposal, type Proposal, updateProposal } from './proposal-sql.ts';

/** Which proposal is decided about, as the operator saw it, where the call says so; `otp` of decisions that take one. */
export type ProposalDecision = { readonly id: bigint; readonly version?: number; readonly otp?: OperatorCode };

/** Two different people, whatever it is about. */
const byAnother = ({ proposedBy }: Pick<Proposal<object>, 'proposedBy'>, { operatorId }: OperatorActor) =>
  proposedBy === operatorId ? 'own_proposal' : undefined;

/**
 * Approves what another operator proposed: it is carried out, or will be once its time has come. It rests on the word of
 * both, so that the proposer's must count at this moment, too.
 *
 * Refuses what every decision does, `own_proposal` also to whom it is about, `proposer_not_entitled`, and what carrying
 * it out refuses.
 */
export function approveProposal<Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision,
): Promise<Proposal<Payload>> {
  return decideProposal(context, kind, actor, decision, {
    from: ['proposed'],
    otherwise: kind.refusals.decided,
    who: byAnother,
    execute: async (tx, proposal) => {
      await refuseUnlessProposerCounts(tx, kind, proposal);
      await kind.refuseApprover?.(tx, proposal, actor.operatorId);
      const now = context.now();
      const dueAt = new Date(now.getTime() + (kind.waitMs?.(proposal) ?? 0));
      const approval = { approvedBy: actor.operatorId, approvedAt: now, dueAt };
      await kind.tell?.(tx, context, 'approved', { ...proposal, ...approval }, actor.operatorId);
      const { proposal: after, logged } =
        dueAt > now
          ? {
              proposal: await updateProposal(tx, kind.name, proposal, { ...approval, state: 'approved' }),
              logged: { dueAt },
            }
          : await executeProposal(tx, context, kind, proposal, actingAs(actor), approval);
      await writeAudit(tx, {
        ...actingAs(actor),
        action: kind.action('approve'),
        subject: `${kind.subject}:${proposal.id}`,
        before: { state: proposal.state },
        after: { state: after.state, ...kind.logged?.(after), ...logged },
      });
      return after;
    },
  });
}

/** Rejects what another operator proposed, and says why. Refuses what every decision does, and `own_proposal`. */
export const rejectProposal = <Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision & { readonly reason: string },
): Promise<Proposal<Payload>> =>
  decideProposal(context, kind, actor, decision, {
    from: ['proposed'],
    otherwise: kind.refusals.decided,
    who: byAnother,
    execute: (tx, proposal) =>
      endProposal(tx, context, kind, proposal, actor, { state: 'rejected', note: decision.reason }),
  });

/**
 * Stops what was not carried out yet, approved or not. Refuses what every decision does, and `not_allowed` where only who
 * proposed it may.
 */
export const withdrawProposal = <Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision,
): Promise<Proposal<Payload>> =>
  decideProposal(context, kind, actor, decision, {
    from: ['proposed', 'approved'],
    otherwise: kind.refusals.ended,
    roles: [...kind.roles, ...proposersOf(kind)],
    who: ({ proposedBy, state }) =>
      kind.withdrawnBy === 'proposer' && state === 'proposed' && proposedBy !== actor.operatorId
        ? 'not_allowed'
        : undefined,
    execute: (tx, proposal) => endProposal(tx, context, kind, proposal, actor, { state: 'withdrawn' }),
  });

/** Refuses what is not there or has come further, `proposal_changed`, and what the frame of every decision refuses. */
function decideProposal<Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  { id, version, otp }: ProposalDecision,
  rules: {
    readonly from: readonly ProposalState[];
    /** Who may do this; those who decide where it is left out. */
    readonly roles?: readonly OperatorRole[];
    readonly otherwise: RefusalCode;
    readonly who: (proposal: Proposal<Payload>, actor: OperatorActor) => RefusalCode | undefined;
    readonly execute: (tx: Tx, proposal: Proposal<Payload>) => Promise<Proposal<Payload>>;
  },
): Promise<Proposal<Payload>> {
  const check = (found: Proposal<Payload> | undefined): Proposal<Payload> => {
    if (found === undefined) throw new Refused(kind.refusals.missing);
    if (!rules.from.includes(found.state)) throw new Refused(rules.otherwise);
    if (version !== undefined && found.version !== version) throw new Refused('proposal_changed');
    const code = rules.who(found, actor);
    if (code !== undefined) throw new Refused(code);
    return found;
  };
  return decide(context, actor, {
    operators: kind.operators,
    roles: rules.roles ?? kind.roles,
    otp,
    look: async (db) => check(await findProposal(db, kind.name, id)),
    lock: async (tx) => {
      if (kind.lock) await kind.lock(tx, check(await findProposal<Payload>(tx, kind.name, id)));
      return check(await lockProposal(tx, kind.name, id));
    },
    execute: rules.execute,
  });
}

/** Whether it still rests on the word of who proposed it, which holds until the transaction ends. */
export async function doesProposerCount<Payload extends object>(
  tx: Tx,
  kind: Pick<ProposalKind<Payload>, 'operators' | 'roles' | 'proposers'>,
  { proposedBy, proposedAt }: Pick<Proposal<Payload>, 'proposedBy' | 'proposedAt'>,
): Promise<boolean> {
  const proposer = (await kind.operators.lock(tx, [proposedBy])).get(proposedBy);
  return doesCount(proposer, proposersOf(kind), proposedAt);
}

/**
 * The same of both operators, held as they are until the transaction ends: for what is carried out days after its approval.
 * False for what nobody approved.
 */
export async function doBothCount<Payload extends object>(
  tx: Tx,
  kind: Pick<ProposalKind<Payload>, 'operators' | 'roles' | 'proposers'>,
  { proposedBy, proposedAt, approvedBy, approvedAt }: Proposal<Payload>,
): Promise<boolean> {
  if (approvedBy === null || approvedAt === null) return false;
  const held = await kind.operators.lock(tx, [proposedBy, approvedBy]);
  return (
    doesCount(held.get(proposedBy), proposersOf(kind), proposedAt) &&
    doesCount(held.get(approvedBy), kind.roles, approvedAt)
  );
}

async function refuseUnlessProposerCounts<Payload extends object>(
  tx: Tx,
  kind: ProposalKind<Payload>,
  proposal: Proposal<Payload>,
): Promise<void> {
  if (!(await doesProposerCount(tx, kind, proposal))) throw new Refused('proposer_not_entitled');
}
