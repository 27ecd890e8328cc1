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

/**
 * The proposal to decide, the version the operator saw if the call states one, and the `otp` if the decision needs one.
 */
export type ProposalDecision = { readonly id: bigint; readonly version?: number; readonly otp?: OperatorCode };

/** A proposal is always decided by a second person. */
const byAnother = ({ proposedBy }: Pick<Proposal<object>, 'proposedBy'>, { operatorId }: OperatorActor) =>
  proposedBy === operatorId ? 'own_proposal' : undefined;

/**
 * Approves what another operator proposed and executes it, now or when it is due. It needs both approvals, so the
 * proposer's must count now, too.
 *
 * Refuses what every decision does, `own_proposal` (also to the operator it is about), `proposer_not_entitled`, and
 * what its execution refuses.
 */
export function approveProposal<Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision,
): Promise<Proposal<Payload>> {
  return decideProposal(context, kind, actor, decision, {
    from: ['proposed'],
    refusal: kind.refusals.decided,
    authorize: byAnother,
    execute: async (tx, proposal) => {
      await refuseUnlessProposerCounts(tx, kind, proposal);
      await kind.refuseApprover?.(tx, proposal, actor.operatorId);
      const now = context.now();
      const dueAt = new Date(now.getTime() + (kind.waitMs?.(proposal) ?? 0));
      const approval = { approvedBy: actor.operatorId, approvedAt: now, dueAt };
      await kind.notify?.(tx, context, 'approved', { ...proposal, ...approval }, actor.operatorId);
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

/** Rejects what another operator proposed, with a reason. Refuses what every decision does, and `own_proposal`. */
export const rejectProposal = <Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision & { readonly reason: string },
): Promise<Proposal<Payload>> =>
  decideProposal(context, kind, actor, decision, {
    from: ['proposed'],
    refusal: kind.refusals.decided,
    authorize: byAnother,
    execute: (tx, proposal) =>
      endProposal(tx, context, kind, proposal, actor, { state: 'rejected', note: decision.reason }),
  });

/**
 * Withdraws a proposal that was not executed yet, approved or not. Refuses what every decision does, and `not_allowed`
 * where only the proposer may withdraw it.
 */
export const withdrawProposal = <Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  decision: ProposalDecision,
): Promise<Proposal<Payload>> =>
  decideProposal(context, kind, actor, decision, {
    from: ['proposed', 'approved'],
    refusal: kind.refusals.ended,
    roles: proposersOf(kind),
    authorize: ({ proposedBy, state }) =>
      kind.withdrawnBy === 'proposer' && state === 'proposed' && proposedBy !== actor.operatorId
        ? 'not_allowed'
        : undefined,
    execute: (tx, proposal) => endProposal(tx, context, kind, proposal, actor, { state: 'withdrawn' }),
  });

/** Refuses a proposal that is missing or in a later state, `proposal_changed`, and what `decide` refuses. */
function decideProposal<Payload extends object>(
  context: Context,
  kind: ProposalKind<Payload>,
  actor: OperatorActor,
  { id, version, otp }: ProposalDecision,
  rules: {
    readonly from: readonly ProposalState[];
    /** By default those who may decide. */
    readonly roles?: readonly OperatorRole[];
    /** In any other state. */
    readonly refusal: RefusalCode;
    readonly authorize: (proposal: Proposal<Payload>, actor: OperatorActor) => RefusalCode | undefined;
    readonly execute: (tx: Tx, proposal: Proposal<Payload>) => Promise<Proposal<Payload>>;
  },
): Promise<Proposal<Payload>> {
  const check = (found: Proposal<Payload> | undefined): Proposal<Payload> => {
    if (found === undefined) throw new Refused(kind.refusals.missing);
    if (!rules.from.includes(found.state)) throw new Refused(rules.refusal);
    if (version !== undefined && found.version !== version) throw new Refused('proposal_changed');
    const code = rules.authorize(found, actor);
    if (code !== undefined) throw new Refused(code);
    return found;
  };
  return decide(context, actor, {
    operators: kind.operators,
    roles: rules.roles ?? kind.roles,
    otp,
    precheck: async (db) => check(await findProposal(db, kind.name, id)),
    lock: async (tx) => {
      if (kind.lock) await kind.lock(tx, check(await findProposal<Payload>(tx, kind.name, id)));
      return check(await lockProposal(tx, kind.name, id));
    },
    execute: rules.execute,
  });
}

/** Whether the proposer's proposal still counts. Locks their account until the transaction ends. */
export async function doesProposerCount<Payload extends object>(
  tx: Tx,
  kind: Pick<ProposalKind<Payload>, 'operators' | 'roles' | 'proposers'>,
  { proposedBy, proposedAt }: Pick<Proposal<Payload>, 'proposedBy' | 'proposedAt'>,
): Promise<boolean> {
  const proposer = (await kind.operators.lock(tx, [proposedBy])).get(proposedBy);
  return doesCount(proposer, proposersOf(kind), proposedAt);
}

/**
 * Whether proposal and approval both still count, for what is executed days after its approval. Locks both accounts
 * until the transaction ends. False for a proposal that nobody approved.
 */
export async function doBothCount<Payload extends object>(
  tx: Tx,
  kind: Pick<ProposalKind<Payload>, 'operators' | 'roles' | 'proposers'>,
  { proposedBy, proposedAt, approvedBy, approvedAt }: Proposal<Payload>,
): Promise<boolean> {
  if (approvedBy === null || approvedAt === null) return false;
  const locked = await kind.operators.lock(tx, [proposedBy, approvedBy]);
  return (
    doesCount(locked.get(proposedBy), proposersOf(kind), proposedAt) &&
    doesCount(locked.get(approvedBy), kind.roles, approvedAt)
  );
}

async function refuseUnlessProposerCounts<Payload extends object>(
  tx: Tx,
  kind: ProposalKind<Payload>,
  proposal: Proposal<Payload>,
): Promise<void> {
  if (!(await doesProposerCount(tx, kind, proposal))) throw new Refused('proposer_not_entitled');
}
