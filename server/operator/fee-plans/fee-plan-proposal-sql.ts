import assert from 'node:assert';
import { sql } from 'kysely';
import type { FeePlanTerms } from '#contract/fee-plan.ts';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type Decided, decisionOf, type ProposalRow, proposalColumns } from '../proposal-columns-sql.ts';

export type FeePlanProposalRow = ProposalRow & {
  readonly terms: FeePlanTerms;
  readonly base_plan_id: number;
  /** The plan it became, else null. */
  readonly plan_id: number | null;
};

const columns = sql`${proposalColumns}, terms, base_plan_id, plan_id`;

export type NewFeePlanProposal = {
  readonly reference: string;
  readonly terms: FeePlanTerms;
  readonly basePlanId: number;
  readonly reason: string;
  readonly by: bigint;
  readonly now: Date;
};

/** Undefined when the reference is taken. */
export async function insertFeePlanProposal(
  tx: Tx,
  draft: NewFeePlanProposal,
): Promise<FeePlanProposalRow | undefined> {
  const { rows } = await sql<FeePlanProposalRow>`
    insert into operator.fee_plan_proposal (reference, terms, base_plan_id, reason, proposed_by, proposed_at)
    values (${draft.reference}, ${JSON.stringify(draft.terms)}::jsonb, ${draft.basePlanId}, ${draft.reason}, ${draft.by},
            ${draft.now})
    on conflict (reference) do nothing returning ${columns}`.execute(tx);
  return rows[0];
}

export async function findFeePlanProposal(db: Db, id: bigint): Promise<FeePlanProposalRow | undefined> {
  const { rows } = await sql<FeePlanProposalRow>`
    select ${columns} from operator.fee_plan_proposal where id = ${id}`.execute(db);
  return rows[0];
}

/** The first lock of every decision about it. */
export async function lockFeePlanProposal(tx: Tx, id: bigint): Promise<FeePlanProposalRow | undefined> {
  const { rows } = await sql<FeePlanProposalRow>`
    select ${columns} from operator.fee_plan_proposal where id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Writes the decision about one that the caller has locked. */
export async function updateFeePlanProposal(
  tx: Tx,
  decided: Decided & { readonly planId?: number },
): Promise<FeePlanProposalRow> {
  const { rows } = await sql<FeePlanProposalRow>`
    update operator.fee_plan_proposal set ${decisionOf(decided)}, plan_id = ${decided.planId ?? null}
    where id = ${decided.id} returning ${columns}`.execute(tx);
  assert(rows[0] !== undefined);
  return rows[0];
}

/** Those that wait oldest first, all others newest first; `after` is the id of the last row already shown. */
export async function listFeePlanProposalRows(
  db: Db,
  filter: { readonly state: ProposalState | undefined; readonly after: bigint | undefined; readonly limit: number },
): Promise<FeePlanProposalRow[]> {
  const { state, after, limit } = filter;
  const isOldestFirst = state === 'proposed';
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const { rows } = await sql<FeePlanProposalRow>`
    select ${columns} from operator.fee_plan_proposal
    where ${state === undefined ? sql`true` : sql`state = ${state}`} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  return rows;
}
