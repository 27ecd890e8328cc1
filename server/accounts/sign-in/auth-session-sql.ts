import { type RawBuilder, sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getRow, listRows, listValues, prepared } from '#server/db/rows.ts';
import { type Owner, ownedBy } from '../owner.ts';
import { deleteDevices } from './device-tokens.ts';

export type AuthSessionDraft = {
  readonly tokenHash: Buffer;
  readonly memberId: bigint | null;
  readonly operatorId: bigint | null;
  readonly device: string;
  readonly address: string;
  /** The known device of the sign-in. */
  readonly deviceId?: bigint | null;
  readonly idleSeconds: number | null;
  readonly now: Date;
  readonly expiresAt: Date;
  /** For impersonation: its opening, and the operator's own sign-in, with which it ends. */
  readonly opening?: { readonly id: bigint; readonly openedFrom: bigint };
};

export type AuthSessionRow = {
  id: bigint;
  memberId: bigint | null;
  operatorId: bigint | null;
  role: OperatorRole | null;
  /** An operator's second factors; null for a member. */
  hasApp: boolean | null;
  passkeys: number | null;
  /** Only for impersonation. */
  openingId: bigint | null;
  /** The current role of the impersonating operator. */
  openedAs: OperatorRole | null;
  /** Whether a browser adopted it from a URL and has not confirmed the identity. */
  isUnconfirmed: boolean;
  idleSeconds: number | null;
  lastUsedAt: Date;
  expiresAt: Date;
};

export const insertAuthSession = (tx: Tx, draft: AuthSessionDraft) =>
  execute(tx)`
    insert into identity.auth_session
      (token_hash, member_id, operator_id, device, address, idle_seconds, created_at, last_used_at, expires_at, opening_id,
       opened_from, device_id)
    values (${draft.tokenHash}, ${draft.memberId}, ${draft.operatorId}, ${draft.device}, ${draft.address},
            ${draft.idleSeconds}, ${draft.now}, ${draft.now}, ${draft.expiresAt}, ${draft.opening?.id ?? null},
            ${draft.opening?.openedFrom ?? null}, ${draft.deviceId ?? null})`;

/** By primary key. Includes the operator's role, so that a role change takes effect immediately. */
export const findAuthSession = (db: Db, tokenHash: Buffer, now: Date) =>
  findRow(db)<AuthSessionRow>`
    ${prepared}
    select ${authSession} where s.token_hash = ${tokenHash} and s.expires_at > ${now}`;

/** The same for several, without unknown and ended ones. */
export const listAuthSessions = (db: Db, tokenHashes: readonly Buffer[], now: Date) =>
  listRows(db)<AuthSessionRow & { tokenHash: Buffer }>`
    ${prepared}
    select s.token_hash as "tokenHash", ${authSession}
    where s.token_hash = any (${[...tokenHashes]}::bytea[]) and s.expires_at > ${now}`;

const authSession = sql`
    s.id, s.member_id as "memberId", s.operator_id as "operatorId", o.role,
    case when o.id is not null then exists (
      select from identity.totp t where t.operator_id = o.id and t.confirmed_at is not null
    ) end as "hasApp",
    case when o.id is not null then (
      select count(*)::int from identity.passkey p where p.operator_id = o.id
    ) end as passkeys,
    s.opening_id as "openingId",
    case when s.opening_id is not null then (
      select p.role from identity.opening n join identity.operator p on p.id = n.operator_id
      where n.id = s.opening_id
    ) end as "openedAs",
    exists (select from identity.adopted_sign_in a where a.auth_session_id = s.id and a.confirmed_at is null)
      as "isUnconfirmed",
    s.idle_seconds as "idleSeconds", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"
    from identity.auth_session s left join identity.operator o on o.id = s.operator_id`;

/** Never restores a sign-in that ended meanwhile, and never moves its last use back. */
export const updateLastUse = (db: Db, tokenHash: Buffer, now: Date) =>
  execute(db)`
    update identity.auth_session
    set last_used_at = ${now},
        expires_at = coalesce(${now}::timestamptz + make_interval(secs => idle_seconds), expires_at)
    where token_hash = ${tokenHash} and last_used_at < ${now}`;

export type AuthSessionSummary = {
  readonly id: bigint;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

/** The owner's own sign-ins, last used first, without support access. */
export const listSessionRows = (db: Db, owner: Owner, now: Date) =>
  listRows(db)<AuthSessionSummary>`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from identity.auth_session where ${ownedBy(owner)} and expires_at > ${now} and opening_id is null
    order by last_used_at desc, id desc limit 100`;

export const findSignedInAt = (db: Db, id: bigint) =>
  findValue(db)<Date>`
    select created_at from identity.auth_session where id = ${id}`;

/**
 * Ends one sign-in of an owner and the impersonations started from it. Returns the token hashes, for the caller cache.
 */
export const deleteSession = (tx: Tx, owner: Owner, id: bigint): Promise<Buffer[]> =>
  deleteWithOpened(tx, sql`${ownedBy(owner)} and id = ${id}`);

/** Ends all of them except one, and forgets their devices. */
export async function deleteSessions(tx: Tx, owner: Owner, except: bigint | null): Promise<Buffer[]> {
  await deleteDevices(tx, owner, except);
  return deleteWithOpened(tx, sql`${ownedBy(owner)} and id is distinct from ${except}::bigint`);
}

/** Ends an impersonation. */
export const deleteImpersonationSession = (tx: Tx, openingId: bigint): Promise<Buffer[]> =>
  deleteReturning(tx, sql`opening_id = ${openingId}`);

/** Impersonations cascade with their sign-in; deleting them first returns their tokens, too. */
async function deleteWithOpened(tx: Tx, condition: RawBuilder<unknown>): Promise<Buffer[]> {
  const opened = await deleteReturning(
    tx,
    sql`opened_from in (select id from identity.auth_session where ${condition})`,
  );
  return [...(await deleteReturning(tx, condition)), ...opened];
}

const deleteReturning = (tx: Tx, condition: RawBuilder<unknown>) =>
  listValues(tx)<Buffer>`
    delete from identity.auth_session where ${condition} returning token_hash`;

/** True if the device is new and the member has used another one before. */
export async function insertKnownDevice(tx: Tx, memberId: bigint, device: string, now: Date): Promise<boolean> {
  const { isNew, hasOthers } = await getRow(tx)<{ isNew: boolean; hasOthers: boolean }>`
    with added as (
      insert into identity.known_device (member_id, device, first_seen_at) values (${memberId}, ${device}, ${now})
      on conflict do nothing returning 1)
    select exists (select from added) as "isNew",
           exists (select from identity.known_device where member_id = ${memberId} and device <> ${device})
             as "hasOthers"`;
  return isNew && hasOthers;
}
