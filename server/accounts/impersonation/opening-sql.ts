import assert from 'node:assert';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';

export type OpeningDraft = {
  readonly memberId: bigint;
  readonly operatorId: bigint;
  /** The operator's own sign-in. */
  readonly openedFrom: bigint;
  readonly reason: string;
  readonly openedAt: Date;
  /** Unless the operator's own sign-in ends before. */
  readonly expiresAt: Date;
};

/** Undefined when the operator's sign-in is over; it is held until the transaction ends, so that its end waits or comes first. */
export async function insertOpening(
  tx: Tx,
  draft: OpeningDraft,
): Promise<{ readonly id: bigint; readonly expiresAt: Date } | undefined> {
  const { rows } = await sql<{ id: bigint; expiresAt: Date }>`
    with own as (
      select expires_at from identity.auth_session
      where id = ${draft.openedFrom} and operator_id = ${draft.operatorId} and expires_at > ${draft.openedAt} for share)
    insert into identity.opening (member_id, operator_id, reason, opened_at, expires_at)
    select ${draft.memberId}::bigint, ${draft.operatorId}::bigint, ${draft.reason}, ${draft.openedAt}::timestamptz,
           least(own.expires_at, ${draft.expiresAt}::timestamptz)
    from own
    returning id, expires_at as "expiresAt"`.execute(tx);
  return rows[0];
}

export async function updateOpeningEnded(tx: Tx, id: bigint, now: Date): Promise<void> {
  await sql`
    update identity.opening set ended_at = greatest(opened_at, least(expires_at, ${now}::timestamptz))
    where id = ${id} and ended_at is null`.execute(tx);
}

export type OpeningRow = {
  readonly id: bigint;
  readonly operatorName: string;
  readonly reason: string;
  readonly openedAt: Date;
  readonly endedAt: Date | null;
  readonly expiresAt: Date;
};

const openings = sql`
  select o.id, operator.name as "operatorName", o.reason, o.opened_at as "openedAt", o.ended_at as "endedAt",
         o.expires_at as "expiresAt"
  from identity.opening o join identity.operator operator on operator.id = o.operator_id`;

/** Newest first. */
export async function listOpeningRows(db: Db, memberId: bigint, most: number): Promise<OpeningRow[]> {
  const { rows } = await sql<OpeningRow>`
    ${openings} where o.member_id = ${memberId} order by o.id desc limit ${most}`.execute(db);
  return rows;
}

export async function findOpening(db: Db, id: bigint): Promise<OpeningRow | undefined> {
  const { rows } = await sql<OpeningRow>`${openings} where o.id = ${id}`.execute(db);
  return rows[0];
}

export async function findOpeningOperator(tx: Tx, id: bigint): Promise<bigint> {
  const { rows } = await sql<{ operator_id: bigint }>`
    select operator_id from identity.opening where id = ${id}`.execute(tx);
  const [row] = rows;
  assert(row, 'a sign-in that was opened has its opening');
  return row.operator_id;
}
