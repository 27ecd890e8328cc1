import assert from 'node:assert';
import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getValue, listRows } from '#server/db/rows.ts';

export type ImpersonationDraft = {
  readonly memberId: bigint;
  readonly operatorId: bigint;
  /** The operator's own sign-in. */
  readonly openedFrom: bigint;
  readonly reason: string;
  readonly openedAt: Date;
  /** Unless the operator's own sign-in ends before. */
  readonly expiresAt: Date;
};

/**
 * Undefined if the operator's sign-in has ended. Locks it until the transaction ends, so that it cannot end
 * concurrently.
 */
export const insertImpersonation = (tx: Tx, draft: ImpersonationDraft) =>
  findRow(tx)<{ id: bigint; expiresAt: Date }>`
    with own as (
      select expires_at from identity.auth_session
      where id = ${draft.openedFrom} and operator_id = ${draft.operatorId} and expires_at > ${draft.openedAt} for share)
    insert into identity.opening (member_id, operator_id, reason, opened_at, expires_at)
    select ${draft.memberId}::bigint, ${draft.operatorId}::bigint, ${draft.reason}, ${draft.openedAt}::timestamptz,
           least(own.expires_at, ${draft.expiresAt}::timestamptz)
    from own
    returning id, expires_at as "expiresAt"`;

/** Serializes the openings of one operator, so that the daily limit holds. */
export const lockOpenings = (tx: Tx, operatorId: bigint) =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('identity.opening by ' || ${operatorId}::bigint, 0))`;

/** Accounts that an operator opened from `from` until before `until`. */
export const countImpersonations = (
  db: Db,
  operatorId: bigint,
  { from, until }: { readonly from: Date; readonly until: Date },
): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as count from identity.opening
    where operator_id = ${operatorId} and opened_at >= ${from} and opened_at < ${until}`;

export const updateImpersonationEnded = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`
    update identity.opening set ended_at = greatest(opened_at, least(expires_at, ${now}::timestamptz))
    where id = ${id} and ended_at is null`;

export type ImpersonationRow = {
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
export const listImpersonationRows = (db: Db, memberId: bigint, most: number) =>
  listRows(db)<ImpersonationRow>`
    ${openings} where o.member_id = ${memberId} order by o.id desc limit ${most}`;

export const findImpersonation = (db: Db, id: bigint) => findRow(db)<ImpersonationRow>`${openings} where o.id = ${id}`;

export async function findImpersonator(tx: Tx, id: bigint): Promise<bigint> {
  const row = await findRow(tx)<{ operator_id: bigint }>`
    select operator_id from identity.opening where id = ${id}`;
  assert(row, 'an impersonation session has its opening');
  return row.operator_id;
}
