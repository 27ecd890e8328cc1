import { sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';

export type AuthSessionDraft = {
  readonly tokenHash: Buffer;
  readonly memberId: bigint | null;
  readonly operatorId: bigint | null;
  readonly device: string;
  readonly address: string;
  readonly idleSeconds: number | null;
  readonly now: Date;
  readonly expiresAt: Date;
};

export type AuthSessionRow = {
  id: bigint;
  memberId: bigint | null;
  operatorId: bigint | null;
  role: OperatorRole | null;
  idleSeconds: number | null;
  lastUsedAt: Date;
  expiresAt: Date;
};

export async function insertAuthSession(tx: Tx, draft: AuthSessionDraft): Promise<void> {
  await sql`
    insert into identity.auth_session
      (token_hash, member_id, operator_id, device, address, idle_seconds, created_at, last_used_at, expires_at)
    values (${draft.tokenHash}, ${draft.memberId}, ${draft.operatorId}, ${draft.device}, ${draft.address},
            ${draft.idleSeconds}, ${draft.now}, ${draft.now}, ${draft.expiresAt})`.execute(tx);
}

/** By primary key. The operator's role is read with it, so that a changed role counts at once. */
export async function findAuthSession(db: Db, tokenHash: Buffer, now: Date): Promise<AuthSessionRow | undefined> {
  const { rows } = await sql<AuthSessionRow>`
    ${prepared}
    select s.id, s.member_id as "memberId", s.operator_id as "operatorId", o.role, s.idle_seconds as "idleSeconds",
           s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"
    from identity.auth_session s left join identity.operator o on o.id = s.operator_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Never brings back a sign-in that ended meanwhile, and never moves its last use back. */
export async function updateLastUse(db: Db, tokenHash: Buffer, now: Date): Promise<void> {
  await sql`
    update identity.auth_session
    set last_used_at = ${now},
        expires_at = coalesce(${now}::timestamptz + make_interval(secs => idle_seconds), expires_at)
    where token_hash = ${tokenHash} and last_used_at < ${now}`.execute(db);
}

export type MemberSessionRow = {
  readonly id: bigint;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

export async function listMemberSessions(
  db: Db,
  memberId: bigint,
  now: Date,
  most: number,
): Promise<MemberSessionRow[]> {
  const { rows } = await sql<MemberSessionRow>`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from identity.auth_session where member_id = ${memberId} and expires_at > ${now}
    order by last_used_at desc, id desc limit ${most}`.execute(db);
  return rows;
}

type Deleted = { token_hash: Uint8Array };
const hashes = (rows: readonly Deleted[]): Buffer[] => rows.map((row) => Buffer.from(row.token_hash));

/** Ends one sign-in of a member. The hashes of what ended are for the cache. */
export async function deleteAuthSession(tx: Tx, memberId: bigint, id: bigint): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session where id = ${id} and member_id = ${memberId} returning token_hash`.execute(tx);
  return hashes(rows);
}

/** Ends all sign-ins of a member, or all but one. */
export async function deleteAuthSessions(tx: Tx, memberId: bigint, except: bigint | null): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session
    where member_id = ${memberId} and id is distinct from ${except}::bigint returning token_hash`.execute(tx);
  return hashes(rows);
}

/** The same of an operator. */
export async function deleteOperatorSessions(tx: Tx, operatorId: bigint, except: bigint): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session
    where operator_id = ${operatorId} and id <> ${except} returning token_hash`.execute(tx);
  return hashes(rows);
}

/** True when the device is new to a member who signed in from another one before. */
export async function insertKnownDevice(tx: Tx, memberId: bigint, device: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean; has_others: boolean }>`
    with added as (
      insert into identity.known_device (member_id, device, first_seen_at) values (${memberId}, ${device}, ${now})
      on conflict do nothing returning 1)
    select exists (select from added) as is_new,
           exists (select from identity.known_device where member_id = ${memberId} and device <> ${device}) as has_others`.execute(
    tx,
  );
  return rows[0]?.is_new === true && rows[0].has_others;
}
