import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, hasRow, listRows } from '#server/db/rows.ts';

export type OtpDraft = {
  readonly memberId: bigint;
  readonly purpose: string;
  /** Of the reset it is for; empty for operations, which have one code a purpose. */
  readonly requestHash: Buffer;
  readonly codeHash: Buffer;
  /** Of the key that it was hashed with. */
  readonly keyVersion: number;
  readonly resendAt: Date;
  readonly expiresAt: Date;
  readonly now: Date;
};

/** Replaces the code before, once that one may be sent again; false while it may not. */
export const upsertOtp = (tx: Tx, draft: OtpDraft) =>
  hasRow(tx)`
    insert into identity.otp as otp (member_id, purpose, request_hash, code_hash, key_version, resend_at, expires_at)
    values (${draft.memberId}, ${draft.purpose}, ${draft.requestHash}, ${draft.codeHash}, ${draft.keyVersion},
            ${draft.resendAt}, ${draft.expiresAt})
    on conflict (member_id, purpose, request_hash) do update set
      code_hash = excluded.code_hash, key_version = excluded.key_version, tries = 0, resend_at = excluded.resend_at, expires_at = excluded.expires_at
    where otp.resend_at <= ${draft.now}
    returning id`;

export type LiveOtp = { id: bigint; memberId: bigint; codeHash: Buffer; keyVersion: number };

/** Codes that may still be tried, locked in id order: tries at the same time go one after the other. */
export async function lockLiveOtps(
  tx: Tx,
  of: { readonly memberIds: readonly bigint[]; readonly purpose: string; readonly requestHash: Buffer },
  mostTries: number,
  now: Date,
): Promise<LiveOtp[]> {
  const { rows } = await sql<{ id: bigint; member_id: bigint; code_hash: Uint8Array; key_version: number }>`
    select id, member_id, code_hash, key_version from identity.otp
    where member_id = any(${of.memberIds}::bigint[]) and purpose = ${of.purpose} and request_hash = ${of.requestHash}
      and expires_at > ${now} and tries < ${mostTries}
    order by id for update`.execute(tx);
  return rows.map((row) => ({
    id: row.id,
    memberId: row.member_id,
    codeHash: Buffer.from(row.code_hash),
    keyVersion: row.key_version,
  }));
}

/**
 * Counts a try against the live code in a statement of its own, whatever becomes of it; false when there is none that
 * may be tried. Tries at the same time wait for the row and see each other's count.
 */
export const claimTry = (
  db: Db,
  tried: { readonly memberId: bigint; readonly purpose: string; readonly mostTries: number; readonly now: Date },
) =>
  hasRow(db)`
    update identity.otp set tries = tries + 1
    where member_id = ${tried.memberId} and purpose = ${tried.purpose}
      and expires_at > ${tried.now} and tries < ${tried.mostTries}
    returning id`;

/** The live code of one account, locked, however often it was tried. */
export async function lockOtp(tx: Tx, memberId: bigint, purpose: string, now: Date): Promise<LiveOtp | undefined> {
  const { rows } = await sql<{ id: bigint; code_hash: Uint8Array; key_version: number }>`
    select id, code_hash, key_version from identity.otp
    where member_id = ${memberId} and purpose = ${purpose} and expires_at > ${now} for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  return { id: row.id, memberId, codeHash: Buffer.from(row.code_hash), keyVersion: row.key_version };
}

/** When the code before may be sent again. */
export const findResendAt = (tx: Tx, memberId: bigint, purpose: string) =>
  findValue(tx)<Date>`
    select resend_at as "resendAt" from identity.otp where member_id = ${memberId} and purpose = ${purpose}`;

export const addTries = (tx: Tx, ids: readonly bigint[]) =>
  execute(tx)`update identity.otp set tries = tries + 1 where id = any(${ids}::bigint[])`;

export const deleteOtp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.otp where id = ${id}`;

/** How many codes name each version of the key they were hashed with. */
export async function countOtpKeys(db: Db): Promise<Map<number, number>> {
  const rows = await listRows(db)<{ version: number; count: number }>`
    select key_version as version, count(*)::int as count from identity.otp group by key_version`;
  return new Map(rows.map(({ version, count }) => [version, count]));
}
