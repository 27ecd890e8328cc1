import assert from 'node:assert';
import type { OperatorCode } from '#contract/fields.ts';
import type { Proposal as ShownProposal } from '#contract/operator/proposals.ts';
import type { Context } from '#server/context.ts';
import { cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { doesCount, type OperatorAuthorities } from './core/approvals.ts';
import type { OperatorActor } from './decide.ts';
import { approveProposal, rejectProposal, withdrawProposal } from './decide-proposal.ts';
import { type ListedKind, proposersOf } from './kind.ts';
import { listProposalRows, type Proposal } from './proposal-sql.ts';

type ListCall = {
  readonly query: Paging & {
    readonly state?: ShownProposal['state'] | undefined;
    readonly member_id?: string | undefined;
    readonly id?: string | undefined;
  };
};
/** An operator's call about one row. */
export type OperatorCall<Body> = {
  readonly caller: { readonly operatorId: bigint };
  readonly address: string;
  readonly params: { readonly id: bigint };
  readonly body: Body;
};

/** The calls of every listed kind: its pages, pending ones oldest first, and the three decisions. */
export function proposalCalls<Payload extends object, Shown extends object>(
  context: Context,
  kind: ListedKind<Payload, Shown>,
) {
  const { db } = context;
  const about = <Body extends object>({ params, body }: OperatorCall<Body>) => ({ ...body, id: params.id });
  const show = async (decided: Promise<Proposal<Payload>>) => showProposal(db, kind, await decided);
  return {
    list: async ({ query: { cursor, limit, state, member_id, id } }: ListCall) => {
      const filter = {
        state,
        memberId: idOf(member_id),
        id: idOf(id),
        after: readIdCursor(cursor),
        limit: limit + 1,
      };
      const found = await listProposalRows<Payload>(db, kind.name, filter);
      const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
      return { items: await showProposals(db, kind, rows), next_cursor: nextCursor };
    },
    approve: (call: OperatorCall<{ version: number; otp: OperatorCode }>) =>
      show(approveProposal(context, kind, actorOf(call), about(call))),
    reject: (call: OperatorCall<{ version: number; reason: string }>) =>
      show(rejectProposal(context, kind, actorOf(call), about(call))),
    withdraw: (call: OperatorCall<{ version: number }>) =>
      show(withdrawProposal(context, kind, actorOf(call), about(call))),
  };
}

export const actorOf = ({ caller, address }: Omit<OperatorCall<unknown>, 'params' | 'body'>): OperatorActor => ({
  operatorId: caller.operatorId,
  address,
});

const idOf = (text: string | undefined) => (text === undefined ? undefined : BigInt(text));

/** Proposals with operator names, in the order given. */
export async function showProposals<Payload extends object, Shown extends object>(
  db: Db,
  kind: ListedKind<Payload, Shown>,
  proposals: readonly Proposal<Payload>[],
): Promise<(ShownProposal & Shown)[]> {
  const ids = proposals.flatMap(({ proposedBy, approvedBy, endedBy }) => [proposedBy, approvedBy, endedBy]);
  const operators = await kind.operators.list(
    db,
    ids.filter((id) => id !== null),
  );
  const own = await kind.show(db, proposals);
  return proposals.map((proposal, index) => ({
    ...showCommon(proposal, operators, kind),
    ...(own[index] as Shown),
  }));
}

export async function showProposal<Payload extends object, Shown extends object>(
  db: Db,
  kind: ListedKind<Payload, Shown>,
  proposal: Proposal<Payload>,
): Promise<ShownProposal & Shown> {
  const [shown] = await showProposals(db, kind, [proposal]);
  assert(shown !== undefined);
  return shown;
}

function showCommon(
  proposal: Proposal<object>,
  operators: OperatorAuthorities,
  kind: Pick<ListedKind<object, object>, 'roles' | 'proposers'>,
): ShownProposal {
  const { state, reference, proposedBy, proposedAt, approvedBy, approvedAt, dueAt, endedBy, endedAt } = proposal;
  assert(reference !== null, 'a listed proposal has a reference');
  const person = (id: bigint) => ({ id: id.toString(), name: operators.get(id)?.name ?? '' });
  const personOrNull = (id: bigint | null) => (id === null ? null : person(id));
  const waited = approvedAt !== null && dueAt !== null && dueAt > approvedAt;
  return {
    id: proposal.id.toString(),
    reference,
    version: proposal.version,
    reason: proposal.reason,
    state,
    proposed_by: person(proposedBy),
    proposed_at: proposedAt.toISOString(),
    due_at: state === 'approved' ? (proposal.dueAt?.toISOString() ?? null) : null,
    proposer_counts: state !== 'proposed' || doesCount(operators.get(proposedBy), proposersOf(kind), proposedAt),
    decided_by: personOrNull(approvedBy ?? endedBy),
    decided_at: (approvedAt ?? endedAt)?.toISOString() ?? null,
    ended_by: waited ? personOrNull(endedBy) : null,
    ended_at: waited ? (endedAt?.toISOString() ?? null) : null,
    note: proposal.note,
  };
}
