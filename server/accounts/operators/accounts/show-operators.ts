import assert from 'node:assert';
import type { ListedOperator, OperatorProposal, operatorAccounts } from '#contract/accounts/operators.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { listProposalRows } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { cutPage, type Paging, readIdCursor } from '#server/cursor.ts';
import { orRefuse } from '#server/refused.ts';
import { nameActors } from '../operators.ts';
import { findAccount, listAccounts, type OperatorAccount } from './account-sql.ts';
import { type OperatorChange, operatorChangeKind } from './operator-change.ts';

/** All operators as the admin `selfId` sees them. */
export async function listOperators(context: Context, selfId: bigint): Promise<ListedOperator[]> {
  return (await listAccounts(context.db, context.now())).map((account) => showAccount(account, selfId));
}

/** Refuses `operator_not_found`. */
export async function getOperator(context: Context, selfId: bigint, id: bigint): Promise<ListedOperator> {
  return showAccount(orRefuse(await findAccount(context.db, id, context.now()), 'operator_not_found'), selfId);
}

const showAccount = (account: OperatorAccount, selfId: bigint): ListedOperator => ({
  id: account.id.toString(),
  name: account.name,
  email: account.email,
  role: account.role,
  state: stateOf(account),
  created_at: account.createdAt.toISOString(),
  disabled_at: account.disabledAt?.toISOString() ?? null,
  invitation_expires_at: account.invitationExpiresAt?.toISOString() ?? null,
  sign_ins: account.signIns,
  last_used_at: account.lastUsedAt?.toISOString() ?? null,
  self: account.id === selfId,
});

function stateOf({ disabledAt, hasPassword, hasSecondFactor }: OperatorAccount): ListedOperator['state'] {
  if (disabledAt !== null) return 'disabled';
  if (!hasPassword) return 'invited';
  return hasSecondFactor ? 'active' : 'setting_up';
}

/** One page of proposals, newest first. Refuses `validation` for a cursor of another list. */
export async function listOperatorProposals(
  context: Context,
  selfId: bigint,
  page: Paging & { readonly isOpen: boolean },
): Promise<DataOf<typeof operatorAccounts.listOperatorProposals>> {
  const { cursor, limit, isOpen } = page;
  const filter = { state: isOpen ? ('open' as const) : undefined, after: readIdCursor(cursor), limit: limit + 1 };
  const found: OperatorChange[] = await listProposalRows(context.db, operatorChangeKind.name, filter);
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showChanges(context, selfId, rows), next_cursor: nextCursor };
}

export async function showOperatorChange(
  context: Context,
  selfId: bigint,
  change: OperatorChange,
): Promise<OperatorProposal> {
  const [shown] = await showChanges(context, selfId, [change]);
  return shown as OperatorProposal;
}

const states = { proposed: 'waiting', approved: 'approved', posted: 'done', withdrawn: 'withdrawn' } as const;

async function showChanges(
  { db }: Context,
  selfId: bigint,
  changes: readonly OperatorChange[],
): Promise<OperatorProposal[]> {
  const ids = changes.flatMap(({ proposedBy, approvedBy, endedBy }) => [proposedBy, approvedBy, endedBy]);
  const personOf = await nameActors(db, ids);
  return changes.map((change) => {
    const { state, operatorId, resultId, proposedBy } = change;
    assert(state !== 'rejected', 'proposals about operators are withdrawn, never rejected');
    return {
      id: change.id.toString(),
      kind: change.payload.kind,
      name: change.payload.name,
      email: change.payload.email,
      role: change.payload.role,
      state: states[state],
      operator_id: (resultId ?? operatorId)?.toString() ?? null,
      why: change.reason,
      proposed_by: change.payload.from === 'server' ? null : personOf(proposedBy),
      proposed_at: change.proposedAt.toISOString(),
      needs_approval: change.needsApproval,
      approved_by: change.approvedBy === null ? null : personOf(change.approvedBy),
      approved_at: change.approvedAt?.toISOString() ?? null,
      due_at: change.dueAt?.toISOString() ?? null,
      withdrawn_by: change.endedBy === null ? null : personOf(change.endedBy),
      ended_at: change.endedAt?.toISOString() ?? null,
      may_approve: state === 'proposed' && proposedBy !== selfId && operatorId !== selfId,
    };
  });
}
