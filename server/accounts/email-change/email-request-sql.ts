import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, hasRow, listRows } from '#server/db/rows.ts';

/** What a member without the old mailbox asked for, while it is open. */
export type EmailRequest = {
  readonly id: bigint;
  readonly memberId: bigint;
  readonly email: string;
  readonly requestedAt: Date;
};

export type EmailRequestOutcome = 'changed' | 'withdrawn' | 'rejected';

/** Undefined while another one of the member is open. */
export const insertEmailRequest = (
  tx: Tx,
  draft: { readonly memberId: bigint; readonly email: string; readonly now: Date },
) =>
  findValue(tx)<bigint>`
    insert into identity.email_request (member_id, email, requested_at)
    values (${draft.memberId}, ${draft.email}, ${draft.now})
    on conflict (member_id) where ended_at is null do nothing returning id`;

export const findEmailRequest = (db: Db, memberId: bigint) =>
  findRow(db)<EmailRequest>`
    select id, member_id as "memberId", email, requested_at as "requestedAt"
    from identity.email_request where member_id = ${memberId} and ended_at is null`;

/** Whether a member waits for a change of email without the old mailbox: withdrawals are stopped meanwhile. */
export const hasEmailRequest = (db: Db, memberId: bigint) =>
  hasRow(db)`select 1 from identity.email_request where member_id = ${memberId} and ended_at is null`;

/** Those of these members that have one; all open ones, oldest first, without members. */
export const listEmailRequests = (db: Db, memberIds?: readonly bigint[]) =>
  listRows(db)<EmailRequest>`
    select id, member_id as "memberId", email, requested_at as "requestedAt"
    from identity.email_request
    where ended_at is null and (${memberIds ?? null}::bigint[] is null or member_id = any(${memberIds ?? null}::bigint[]))
    order by id limit 200`;

/** The addresses of these requests, ended or not; null once the account is closed. */
export const listRequestedEmails = (db: Db, ids: readonly bigint[]) =>
  listRows(db)<{ id: bigint; email: string | null }>`
    select id, email from identity.email_request where id = any(${ids}::bigint[])`;

export const updateEnded = (tx: Tx, id: bigint, outcome: EmailRequestOutcome, now: Date) =>
  execute(tx)`
    update identity.email_request set ended_at = ${now}, outcome = ${outcome} where id = ${id} and ended_at is null`;

/** Who closed the account is not known by the addresses they asked for either. */
export const blankEmailRequests = (tx: Tx, memberId: bigint) =>
  execute(tx)`update identity.email_request set email = null where member_id = ${memberId}`;
