import assert from 'node:assert';
import { type RawBuilder, sql } from 'kysely';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { findRow, findValue, listRows } from '#server/db/rows.ts';

export type ProposalKindName =
  | 'adjustment'
  | 'treasury'
  | 'fee_plan'
  | 'operator'
  | 'loosening'
  | 'announcement'
  | 'email_change'
  | 'reserve'
  | 'venue_fill'
  | 'asset_limits'
  | 'statement_line';

/** `payload` is JSON that its kind defines. */
export type Proposal<Payload> = {
  readonly id: bigint;
  readonly reference: string | null;
  /** Only for an adjustment or a loosening. */
  readonly memberId: bigint | null;
  /** Only for a change to an operator account; null for one that does not exist yet. */
  readonly operatorId: bigint | null;
  readonly payload: Payload;
  readonly reason: string;
  /** `posted` is executed, `approved` will be at `dueAt`. */
  readonly state: ProposalState;
  readonly version: number;
  readonly proposedBy: bigint;
  readonly proposedAt: Date;
  readonly needsApproval: boolean;
  readonly approvedBy: bigint | null;
  readonly approvedAt: Date | null;
  readonly dueAt: Date | null;
  /** The operator who rejected or withdrew it. */
  readonly endedBy: bigint | null;
  readonly endedAt: Date | null;
  readonly note: string | null;
  /** The resulting transfer, fee plan or operator. */
  readonly resultId: bigint | null;
};

const columns = sql`id, reference, member_id as "memberId", operator_id as "operatorId", payload, reason, state, version,
  proposed_by as "proposedBy", proposed_at as "proposedAt", needs_approval as "needsApproval",
  approved_by as "approvedBy", approved_at as "approvedAt", due_at as "dueAt", ended_by as "endedBy",
  ended_at as "endedAt", note, result_id as "resultId"`;
const isOpen = sql`state in ('proposed', 'approved')`;

export type NewProposal<Payload> = Pick<Proposal<Payload>, 'payload' | 'reason' | 'needsApproval'> &
  Partial<Pick<Proposal<Payload>, 'memberId' | 'operatorId'>> & {
    readonly reference: string | null;
    readonly by: bigint;
    readonly now: Date;
    /** When it is executed, if it needs no approval. */
    readonly dueAt?: Date | undefined;
  };

/** Undefined if the reference exists, or another proposal about the same operator is open. */
export const insertProposal = <Payload>(
  tx: Tx,
  kind: ProposalKindName,
  draft: NewProposal<Payload>,
): Promise<Proposal<Payload> | undefined> => {
  const { reference, memberId = null, operatorId = null, payload, reason, needsApproval, by, now, dueAt = now } = draft;
  return findRow(tx)`
    insert into approvals.proposal
      (kind, reference, member_id, operator_id, payload, reason, state, proposed_by, proposed_at, needs_approval, due_at)
    values (${kind}, ${reference}, ${memberId}, ${operatorId}, ${JSON.stringify(payload)}::jsonb, ${reason},
            ${needsApproval ? 'proposed' : 'approved'}, ${by}, ${now}, ${needsApproval}, ${needsApproval ? null : dueAt})
    on conflict do nothing returning ${columns}`;
};

const listWhere = <Payload>(db: Db, kind: ProposalKindName, condition: RawBuilder<unknown>) =>
  listRows(db)<Proposal<Payload>>`
    select ${columns} from approvals.proposal where kind = ${kind} and ${condition}`;

export const findProposal = async <Payload>(db: Db, kind: ProposalKindName, id: bigint) =>
  (await listWhere<Payload>(db, kind, sql`id = ${id}`))[0];

/** The first lock of every decision, except for the lock of its kind. */
export const lockProposal = async <Payload>(tx: Tx, kind: ProposalKindName, id: bigint) =>
  (await listWhere<Payload>(tx, kind, sql`id = ${id} for update`))[0];

export const findProposalId = (db: Db, reference: string): Promise<bigint | undefined> =>
  findValue(db)`
    select id from approvals.proposal where reference = ${reference}`;

/** The member a proposal is about; undefined if it is about none. */
export const findProposalMember = async (db: Db, reference: string): Promise<bigint | undefined> =>
  (await findValue(db)<bigint | null>`select member_id from approvals.proposal where reference = ${reference}`) ??
  undefined;

/** The longest overdue one except these, not locked. */
export const findDueProposal = async <Payload>(
  db: Db,
  kind: ProposalKindName,
  now: Date,
  except: readonly bigint[],
): Promise<Proposal<Payload> | undefined> => {
  const isNext = sql`state = 'approved' and due_at <= ${now} and id <> all(${[...except]}::bigint[])`;
  return (await listWhere<Payload>(db, kind, sql`${isNext} order by due_at, id limit 1`))[0];
};

/** Open proposals about this operator, or proposed or approved by them. Locked in id order. */
export const listProposalsOf = <Payload>(tx: Tx, kind: ProposalKindName, operatorId: bigint) =>
  listWhere<Payload>(
    tx,
    kind,
    sql`${isOpen} and ${operatorId} in (operator_id, proposed_by, approved_by) order by id for update`,
  );

/** Proposals executed since an instant. */
export const listPostedSince = <Payload>(db: Db, kind: ProposalKindName, since: Date) =>
  listWhere<Payload>(db, kind, sql`state = 'posted' and ended_at >= ${since} order by id`);

/** Open and executed proposals to reverse these, whose payload names one in `reverses.id`. */
export const listReversals = <Payload>(db: Db, kind: ProposalKindName, ids: readonly bigint[]) =>
  listWhere<Payload>(
    db,
    kind,
    sql`(${isOpen} or state = 'posted') and payload -> 'reverses' ->> 'id' = any(${ids.map(String)}::text[])`,
  );

/** Open proposals about this member, locked in id order. */
export const lockProposalsAbout = <Payload>(tx: Tx, kind: ProposalKindName, memberId: bigint) =>
  listWhere<Payload>(tx, kind, sql`${isOpen} and member_id = ${memberId} order by id for update`);

/**
 * Pending proposals oldest first, all others newest first; `after` is the id of the last row already shown. With `id`
 * only that one, in any state.
 */
export const listProposalRows = <Payload>(
  db: Db,
  kind: ProposalKindName,
  filter: {
    /** `open`: neither executed nor ended. */
    readonly state?: ProposalState | 'open' | undefined;
    readonly memberId?: bigint | undefined;
    readonly id?: bigint | undefined;
    readonly after: bigint | undefined;
    readonly limit: number;
  },
) => {
  const { state, memberId, id, after, limit } = filter;
  const isOldestFirst = state === 'proposed';
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const inState =
    state === undefined || id !== undefined ? sql`true` : state === 'open' ? isOpen : sql`state = ${state}`;
  return listWhere<Payload>(
    db,
    kind,
    sql`${inState} and ${memberId === undefined ? sql`true` : sql`member_id = ${memberId}`}
      and ${id === undefined ? sql`true` : sql`id = ${id}`} and ${next}
      order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`,
  );
};

/** Proposals pending approval, by kind. */
export async function countProposals(db: Db): Promise<Readonly<Record<ProposalKindName, number>>> {
  const rows = await listRows(db)<{ kind: ProposalKindName; count: number }>`
    select kind, count(*)::int as count from approvals.proposal where state = 'proposed' group by kind`;
  const none = {
    adjustment: 0,
    treasury: 0,
    fee_plan: 0,
    operator: 0,
    loosening: 0,
    announcement: 0,
    email_change: 0,
    reserve: 0,
    venue_fill: 0,
    asset_limits: 0,
    statement_line: 0,
  };
  return { ...none, ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) };
}

export type Decided = Pick<Proposal<unknown>, 'state'> &
  Partial<Pick<Proposal<unknown>, 'approvedBy' | 'approvedAt' | 'dueAt' | 'endedBy' | 'endedAt' | 'note' | 'resultId'>>;

/** Writes a decision. The caller has locked the proposal. */
export async function updateProposal<Payload>(
  tx: Tx,
  kind: ProposalKindName,
  before: Proposal<Payload>,
  decided: Decided,
): Promise<Proposal<Payload>> {
  const { state, approvedBy, approvedAt, dueAt, endedBy, endedAt, note, resultId } = { ...before, ...decided };
  const after = await findRow(tx)<Proposal<Payload>>`
    update approvals.proposal
    set state = ${state}, version = version + 1, approved_by = ${approvedBy}, approved_at = ${approvedAt},
        due_at = ${dueAt}, ended_by = ${endedBy}, ended_at = ${endedAt}, note = ${note}, result_id = ${resultId}
    where kind = ${kind} and id = ${before.id} returning ${columns}`;
  assert(after !== undefined);
  return after;
}
