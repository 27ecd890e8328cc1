import assert from 'node:assert';
import { sql } from 'kysely';
import type { ProposalState } from '#contract/operator/proposals.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type Decided, decisionOf, type ProposalRow, proposalColumns } from '../proposal-columns-sql.ts';

export type AdjustmentRow = ProposalRow & {
  readonly transfer_id: bigint | null;
  readonly member_id: bigint;
  readonly wallet: WalletType;
  readonly signed_micros: bigint;
  readonly evidence: string;
};

const columns = sql`${proposalColumns}, transfer_id, member_id, wallet, signed_micros, evidence`;

export type NewAdjustment = {
  readonly reference: string;
  readonly memberId: bigint;
  readonly wallet: WalletType;
  readonly signedMicros: bigint;
  readonly reason: string;
  readonly evidence: string;
  readonly by: bigint;
  readonly now: Date;
};

/** Undefined when the reference is taken. */
export async function insertAdjustment(tx: Tx, draft: NewAdjustment): Promise<AdjustmentRow | undefined> {
  const { rows } = await sql<AdjustmentRow>`
    insert into operator.adjustment (reference, member_id, wallet, signed_micros, reason, evidence, proposed_by, proposed_at)
    values (${draft.reference}, ${draft.memberId}, ${draft.wallet}, ${draft.signedMicros}, ${draft.reason}, ${draft.evidence},
            ${draft.by}, ${draft.now})
    on conflict (reference) do nothing returning ${columns}`.execute(tx);
  return rows[0];
}

export async function findAdjustment(db: Db, id: bigint): Promise<AdjustmentRow | undefined> {
  const { rows } = await sql<AdjustmentRow>`select ${columns} from operator.adjustment where id = ${id}`.execute(db);
  return rows[0];
}

/** The first lock of every decision about it. */
export async function lockAdjustment(tx: Tx, id: bigint): Promise<AdjustmentRow | undefined> {
  const { rows } = await sql<AdjustmentRow>`
    select ${columns} from operator.adjustment where id = ${id} for update`.execute(tx);
  return rows[0];
}

export async function findAdjustmentId(db: Db, reference: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from operator.adjustment where reference = ${reference}`.execute(db);
  return rows[0]?.id;
}

/** Writes the decision about one that the caller has locked. */
export async function updateAdjustment(
  tx: Tx,
  decided: Decided & { readonly transferId?: bigint },
): Promise<AdjustmentRow> {
  const { rows } = await sql<AdjustmentRow>`
    update operator.adjustment set ${decisionOf(decided)}, transfer_id = ${decided.transferId ?? null}
    where id = ${decided.id} returning ${columns}`.execute(tx);
  assert(rows[0] !== undefined);
  return rows[0];
}

/** Those that wait oldest first, all others newest first; `after` is the id of the last row already shown. */
export async function listAdjustmentRows(
  db: Db,
  filter: {
    readonly state: ProposalState | undefined;
    readonly memberId: bigint | undefined;
    readonly after: bigint | undefined;
    readonly limit: number;
  },
): Promise<AdjustmentRow[]> {
  const { state, memberId, after, limit } = filter;
  const isOldestFirst = state === 'proposed';
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const { rows } = await sql<AdjustmentRow>`
    select ${columns} from operator.adjustment
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${memberId === undefined ? sql`true` : sql`member_id = ${memberId}`} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  return rows;
}
