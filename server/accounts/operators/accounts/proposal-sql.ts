import { type RawBuilder, sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';

export type ProposalKind = 'invite' | 'raise' | 'reset';

export type Proposal = {
  readonly id: bigint;
  readonly kind: ProposalKind;
  readonly operatorId: bigint | null;
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly why: string;
  readonly proposedBy: bigint;
  readonly proposedAt: Date;
  readonly needsApproval: boolean;
  readonly approvedBy: bigint | null;
  readonly approvedAt: Date | null;
  readonly dueAt: Date | null;
  readonly doneAt: Date | null;
  readonly withdrawnBy: bigint | null;
  readonly withdrawnAt: Date | null;
};

const columns = sql`id, kind, operator_id as "operatorId", name, email, role, why, proposed_by as "proposedBy",
  proposed_at as "proposedAt", needs_approval as "needsApproval", approved_by as "approvedBy",
  approved_at as "approvedAt", due_at as "dueAt", done_at as "doneAt", withdrawn_by as "withdrawnBy",
  withdrawn_at as "withdrawnAt"`;
const isOpen = sql`done_at is null and withdrawn_at is null`;

export type ProposalDraft = {
  readonly kind: ProposalKind;
  readonly operatorId: bigint | null;
  readonly name: string;
  readonly email: string;
  readonly role: OperatorRole;
  readonly why: string;
  readonly proposedBy: bigint;
  readonly proposedAt: Date;
  readonly needsApproval: boolean;
  readonly dueAt: Date | null;
};

/** Undefined when one about this mail address waits already. */
export async function insertProposal(tx: Tx, draft: ProposalDraft): Promise<Proposal | undefined> {
  const { rows } = await sql<Proposal>`
    insert into identity.operator_proposal
      (kind, operator_id, name, email, role, why, proposed_by, proposed_at, needs_approval, due_at)
    values (${draft.kind}, ${draft.operatorId}, ${draft.name}, ${draft.email}, ${draft.role}, ${draft.why},
            ${draft.proposedBy}, ${draft.proposedAt}, ${draft.needsApproval}, ${draft.dueAt})
    on conflict do nothing returning ${columns}`.execute(tx);
  return rows[0];
}

const listWhere = async (db: Db, condition: RawBuilder<unknown>): Promise<Proposal[]> =>
  (await sql<Proposal>`select ${columns} from identity.operator_proposal where ${condition}`.execute(db)).rows;

export const findProposal = async (db: Db, id: bigint): Promise<Proposal | undefined> =>
  (await listWhere(db, sql`id = ${id}`))[0];

/** Newest first, those below the given id. */
export const listProposalRows = (
  db: Db,
  page: { readonly isOpen: boolean; readonly before: bigint; readonly limit: number },
): Promise<Proposal[]> =>
  listWhere(
    db,
    sql`id < ${page.before} ${page.isOpen ? sql`and ${isOpen}` : sql``} order by id desc limit ${page.limit}`,
  );

/** The next one that is due; undefined when there is none. */
export const findDueProposal = async (db: Db, now: Date): Promise<Proposal | undefined> =>
  (await listWhere(db, sql`due_at <= ${now} and ${isOpen} order by due_at, id limit 1`))[0];

/** Those that hang on this operator: about them, made by them or approved by them. */
export const listProposalsOf = (tx: Tx, operatorId: bigint): Promise<Proposal[]> =>
  listWhere(
    tx,
    sql`${isOpen} and (operator_id = ${operatorId} or proposed_by = ${operatorId} or approved_by = ${operatorId})
      order by id`,
  );

export async function updateApproved(
  tx: Tx,
  id: bigint,
  approval: { readonly by: bigint; readonly at: Date; readonly dueAt: Date },
): Promise<void> {
  await sql`
    update identity.operator_proposal
    set approved_by = ${approval.by}, approved_at = ${approval.at}, due_at = ${approval.dueAt}
    where id = ${id} and approved_by is null and ${isOpen}`.execute(tx);
}

/** `operatorId`: whom it made, of an invitation. */
export async function updateDone(tx: Tx, id: bigint, operatorId: bigint, now: Date): Promise<void> {
  await sql`
    update identity.operator_proposal set done_at = ${now}, operator_id = ${operatorId}
    where id = ${id} and ${isOpen}`.execute(tx);
}

export async function updateWithdrawn(tx: Tx, id: bigint, by: bigint | null, now: Date): Promise<void> {
  await sql`
    update identity.operator_proposal set withdrawn_at = ${now}, withdrawn_by = ${by}
    where id = ${id} and ${isOpen}`.execute(tx);
}
