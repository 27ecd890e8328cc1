import type { ListedOperator, OperatorProposal } from '#contract/accounts/operators.ts';
import type { Context } from '#server/context.ts';
import { ABOVE_EVERY_ID, cutPage, readIdCursor } from '#server/cursor.ts';
import { Refused } from '#server/refused.ts';
import { listOperatorNames } from '../operators.ts';
import { findAccount, listAccounts, type OperatorAccount } from './account-sql.ts';
import { listProposalRows, type Proposal } from './proposal-sql.ts';

/** All operators as the admin `selfId` sees them. */
export async function listOperators(context: Context, selfId: bigint): Promise<ListedOperator[]> {
  return (await listAccounts(context.db, context.now())).map((account) => showAccount(account, selfId));
}

/** One of them. Refusal: `operator_not_found`. */
export async function getOperator(context: Context, selfId: bigint, id: bigint): Promise<ListedOperator> {
  const account = await findAccount(context.db, id, context.now());
  if (account === undefined) throw new Refused('operator_not_found');
  return showAccount(account, selfId);
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

/** One page of the proposals, newest first. Refusal: `validation` for a cursor of another list. */
export async function listOperatorProposals(
  context: Context,
  selfId: bigint,
  page: { readonly cursor?: string | undefined; readonly limit: number; readonly isOpen: boolean },
): Promise<{ items: OperatorProposal[]; next_cursor: string | null }> {
  const { cursor, limit, isOpen } = page;
  const before = readIdCursor(cursor) ?? ABOVE_EVERY_ID;
  const found = await listProposalRows(context.db, { isOpen, before, limit: limit + 1 });
  const { rows, nextCursor } = cutPage(found, limit, ({ id }) => id);
  return { items: await showProposals(context, selfId, rows), next_cursor: nextCursor };
}

export async function showProposal(context: Context, selfId: bigint, proposal: Proposal): Promise<OperatorProposal> {
  const [shown] = await showProposals(context, selfId, [proposal]);
  return shown as OperatorProposal;
}

async function showProposals(
  { db }: Context,
  selfId: bigint,
  proposals: readonly Proposal[],
): Promise<OperatorProposal[]> {
  const ids = proposals.flatMap(({ proposedBy, approvedBy, withdrawnBy }) => [proposedBy, approvedBy, withdrawnBy]);
  const names = await listOperatorNames(
    db,
    ids.filter((id) => id !== null),
  );
  const personOf = (id: bigint) => ({ id: id.toString(), name: names.get(id) ?? '' });
  return proposals.map((proposal) => ({
    id: proposal.id.toString(),
    kind: proposal.kind,
    state: proposalStateOf(proposal),
    operator_id: proposal.operatorId?.toString() ?? null,
    name: proposal.name,
    email: proposal.email,
    role: proposal.role,
    why: proposal.why,
    proposed_by: personOf(proposal.proposedBy),
    proposed_at: proposal.proposedAt.toISOString(),
    needs_approval: proposal.needsApproval,
    approved_by: proposal.approvedBy === null ? null : personOf(proposal.approvedBy),
    approved_at: proposal.approvedAt?.toISOString() ?? null,
    due_at: proposal.dueAt?.toISOString() ?? null,
    withdrawn_by: proposal.withdrawnBy === null ? null : personOf(proposal.withdrawnBy),
    ended_at: (proposal.doneAt ?? proposal.withdrawnAt)?.toISOString() ?? null,
    may_approve:
      proposalStateOf(proposal) === 'waiting' && proposal.proposedBy !== selfId && proposal.operatorId !== selfId,
  }));
}

function proposalStateOf({ doneAt, withdrawnAt, dueAt }: Proposal): OperatorProposal['state'] {
  if (doneAt !== null) return 'done';
  if (withdrawnAt !== null) return 'withdrawn';
  return dueAt === null ? 'waiting' : 'approved';
}
