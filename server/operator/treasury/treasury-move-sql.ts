import assert from 'node:assert';
import { sql } from 'kysely';
import type { ProposalState, RevenueAccount, TreasuryKind } from '#contract/operator/proposals.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { type Decided, decisionOf, type ProposalRow, proposalColumns } from '../proposal-columns-sql.ts';

export type TreasuryMoveRow = ProposalRow & {
  readonly transfer_id: bigint | null;
  readonly kind: TreasuryKind;
  /** Of revenue that is taken out, else null. */
  readonly source: RevenueAccount | null;
  readonly amount_micros: bigint;
  readonly transaction: string;
};

const columns = sql`${proposalColumns}, transfer_id, kind, source, amount_micros, transaction`;

export type NewTreasuryMove = {
  readonly reference: string;
  readonly kind: TreasuryKind;
  readonly source: RevenueAccount | null;
  readonly amountMicros: bigint;
  readonly reason: string;
  readonly transaction: string;
  readonly by: bigint;
  readonly now: Date;
};

/** Undefined when the reference is taken. */
export async function insertTreasuryMove(tx: Tx, draft: NewTreasuryMove): Promise<TreasuryMoveRow | undefined> {
  const { rows } = await sql<TreasuryMoveRow>`
    insert into operator.treasury_move (reference, kind, source, amount_micros, reason, transaction, proposed_by, proposed_at)
    values (${draft.reference}, ${draft.kind}, ${draft.source}, ${draft.amountMicros}, ${draft.reason}, ${draft.transaction},
            ${draft.by}, ${draft.now})
    on conflict (reference) do nothing returning ${columns}`.execute(tx);
  return rows[0];
}

export async function findTreasuryMove(db: Db, id: bigint): Promise<TreasuryMoveRow | undefined> {
  const { rows } = await sql<TreasuryMoveRow>`select ${columns} from operator.treasury_move where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** The first lock of every decision about it. */
export async function lockTreasuryMove(tx: Tx, id: bigint): Promise<TreasuryMoveRow | undefined> {
  const { rows } = await sql<TreasuryMoveRow>`
    select ${columns} from operator.treasury_move where id = ${id} for update`.execute(tx);
  return rows[0];
}

export async function findMoveId(db: Db, reference: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint }>`
    select id from operator.treasury_move where reference = ${reference}`.execute(db);
  return rows[0]?.id;
}

/** Writes the decision about one that the caller has locked. */
export async function updateTreasuryMove(
  tx: Tx,
  decided: Decided & { readonly transferId?: bigint },
): Promise<TreasuryMoveRow> {
  const { rows } = await sql<TreasuryMoveRow>`
    update operator.treasury_move set ${decisionOf(decided)}, transfer_id = ${decided.transferId ?? null}
    where id = ${decided.id} returning ${columns}`.execute(tx);
  assert(rows[0] !== undefined);
  return rows[0];
}

/** Those that wait oldest first, all others newest first; `after` is the id of the last row already shown. */
export async function listTreasuryMoveRows(
  db: Db,
  filter: { readonly state: ProposalState | undefined; readonly after: bigint | undefined; readonly limit: number },
): Promise<TreasuryMoveRow[]> {
  const { state, after, limit } = filter;
  const isOldestFirst = state === 'proposed';
  const next = after === undefined ? sql`true` : isOldestFirst ? sql`id > ${after}` : sql`id < ${after}`;
  const { rows } = await sql<TreasuryMoveRow>`
    select ${columns} from operator.treasury_move
    where ${state === undefined ? sql`true` : sql`state = ${state}`} and ${next}
    order by id ${isOldestFirst ? sql`asc` : sql`desc`} limit ${limit}`.execute(db);
  return rows;
}
