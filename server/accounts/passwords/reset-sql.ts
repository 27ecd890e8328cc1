import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, hasRow } from '#server/db/rows.ts';

export type ResetRequest = {
  /** Hash of the login and the requesting page's token. */
  readonly requestHash: Buffer;
  /** Hash of that token; empty without one. */
  readonly tokenHash: Buffer;
  readonly devices: readonly string[];
  readonly loginId: string;
  readonly address: string;
  readonly now: Date;
  readonly resendAt: Date;
  readonly expiresAt: Date;
};

/** One statement for any input. During the resend delay the previous request stays and its times are returned. */
export const upsertResetRequest = (db: Db, request: ResetRequest) =>
  getRow(db)<{ resendAt: Date; expiresAt: Date }>`
    insert into identity.reset_request as r (request_hash, token_hash, login_id, address, devices, requested_at, resend_at, expires_at)
    values (${request.requestHash}, ${request.tokenHash}, ${request.loginId}, ${request.address}, ${[...request.devices]}::text[],
            ${request.now}, ${request.resendAt}, ${request.expiresAt})
    on conflict (request_hash) do update set
      login_id = case when r.resend_at <= excluded.requested_at then excluded.login_id else r.login_id end,
      devices = case when r.resend_at <= excluded.requested_at then excluded.devices else r.devices end,
      address = case when r.resend_at <= excluded.requested_at then excluded.address else r.address end,
      requested_at = case when r.resend_at <= excluded.requested_at then excluded.requested_at else r.requested_at end,
      resend_at = case when r.resend_at <= excluded.requested_at then excluded.resend_at else r.resend_at end,
      expires_at = case when r.resend_at <= excluded.requested_at then excluded.expires_at else r.expires_at end
    returning resend_at as "resendAt", expires_at as "expiresAt"`;

export type WaitingReset = Omit<ResetRequest, 'now'>;

/** Claims the oldest pending request except these, and deletes its login. Skips those that other workers have claimed. */
export const claimResetRequest = (tx: Tx, except: readonly Buffer[]) =>
  findRow(tx)<WaitingReset>`
    with next as (
      select request_hash, login_id from identity.reset_request
      where login_id is not null and request_hash <> all(${[...except]}::bytea[]) order by requested_at limit 1 for update skip locked)
    update identity.reset_request r set login_id = null from next where r.request_hash = next.request_hash
    returning next.request_hash as "requestHash", next.login_id as "loginId", r.token_hash as "tokenHash", r.devices, r.address, r.resend_at as "resendAt", r.expires_at as "expiresAt"`;

export const insertResetToken = (
  tx: Tx,
  token: { readonly tokenHash: Buffer; readonly memberId: bigint; readonly expiresAt: Date },
) =>
  execute(tx)`
    insert into identity.reset_token (token_hash, member_id, expires_at)
    values (${token.tokenHash}, ${token.memberId}, ${token.expiresAt})`;

/** Whether the member has a token that lives past this instant. */
export const hasResetToken = (tx: Tx, memberId: bigint, until: Date) =>
  hasRow(tx)`select 1 from identity.reset_token where member_id = ${memberId} and expires_at > ${until}`;

export const findResetToken = (db: Db, tokenHash: Buffer, now: Date) =>
  findValue(db)<bigint>`
    select member_id from identity.reset_token where token_hash = ${tokenHash} and expires_at > ${now}`;

/** Consumes a token: of two concurrent attempts one gets the row. */
export const deleteResetToken = (tx: Tx, tokenHash: Buffer, now: Date) =>
  hasRow(tx)`
    delete from identity.reset_token where token_hash = ${tokenHash} and expires_at > ${now} returning 1`;

/**
 * Invalidates all emailed codes and tokens of a member: an attacker may have read them. The codes first: an exchange of
 * one for a token holds it until the token is there to be deleted.
 */
export async function deleteMailed(tx: Tx, memberId: bigint): Promise<void> {
  await execute(tx)`delete from identity.otp where member_id = ${memberId}`;
  await execute(tx)`delete from identity.reset_token where member_id = ${memberId}`;
}
