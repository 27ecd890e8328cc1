import { type RawBuilder, sql } from 'kysely';
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
  /** Of a sign-in that an operator opened: the look it is for, and the operator's own sign-in, with which it ends. */
  readonly opening?: { readonly id: bigint; readonly openedFrom: bigint };
};

export type AuthSessionRow = {
  id: bigint;
  memberId: bigint | null;
  operatorId: bigint | null;
  role: OperatorRole | null;
  /** Of an operator: whether an authenticator app is set up. Null of a member. */
  hasSecondFactor: boolean | null;
  /** Null unless an operator opened it. */
  openingId: bigint | null;
  idleSeconds: number | null;
  lastUsedAt: Date;
  expiresAt: Date;
};

export async function insertAuthSession(tx: Tx, draft: AuthSessionDraft): Promise<void> {
  await sql`
    insert into identity.auth_session
      (token_hash, member_id, operator_id, device, address, idle_seconds, created_at, last_used_at, expires_at, opening_id,
       opened_from)
    values (${draft.tokenHash}, ${draft.memberId}, ${draft.operatorId}, ${draft.device}, ${draft.address},
            ${draft.idleSeconds}, ${draft.now}, ${draft.now}, ${draft.expiresAt}, ${draft.opening?.id ?? null},
            ${draft.opening?.openedFrom ?? null})`.execute(tx);
}

/** By primary key. The operator's role is read with it, so that a changed role counts at once. */
export async function findAuthSession(db: Db, tokenHash: Buffer, now: Date): Promise<AuthSessionRow | undefined> {
  const { rows } = await sql<AuthSessionRow>`
    ${prepared}
    select s.id, s.member_id as "memberId", s.operator_id as "operatorId", o.role,
           case when o.id is not null then exists (
             select from identity.totp t where t.operator_id = o.id and t.confirmed_at is not null
           ) end as "hasSecondFactor",
           s.opening_id as "openingId",
           s.idle_seconds as "idleSeconds", s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt"
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

/** When the sign-ins of these ids that have not ended will, if they are not used. */
export async function listSessionEnds(
  db: Db,
  ids: readonly bigint[],
  now: Date,
): Promise<{ readonly id: bigint; readonly expiresAt: Date }[]> {
  const { rows } = await sql<{ id: bigint; expiresAt: Date }>`
    select id, expires_at as "expiresAt" from identity.auth_session
    where id = any (${[...ids]}::bigint[]) and expires_at > ${now}`.execute(db);
  return rows;
}

export type MemberSessionRow = {
  readonly id: bigint;
  readonly device: string;
  readonly address: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

/** Those of their own: what operators opened is told apart. */
export async function listMemberSessions(
  db: Db,
  memberId: bigint,
  now: Date,
  most: number,
): Promise<MemberSessionRow[]> {
  const { rows } = await sql<MemberSessionRow>`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from identity.auth_session where member_id = ${memberId} and expires_at > ${now} and opening_id is null
    order by last_used_at desc, id desc limit ${most}`.execute(db);
  return rows;
}

type Deleted = { token_hash: Uint8Array };
const hashes = (rows: readonly Deleted[]): Buffer[] => rows.map((row) => Buffer.from(row.token_hash));

/** When a sign-in that is not over was made. */
export async function findSignedInAt(db: Db, id: bigint): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from identity.auth_session where id = ${id}`.execute(db);
  return rows[0]?.created_at;
}

/** Ends one sign-in of a member. The hashes of what ended are for the cache. */
export async function deleteAuthSession(tx: Tx, memberId: bigint, id: bigint): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session where id = ${id} and member_id = ${memberId} returning token_hash`.execute(tx);
  return hashes(rows);
}

/** Ends what an operator opened. */
export async function deleteOpeningSession(tx: Tx, openingId: bigint): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session where opening_id = ${openingId} returning token_hash`.execute(tx);
  return hashes(rows);
}

/** Ends all sign-ins of a member, or all but one. */
export async function deleteAuthSessions(tx: Tx, memberId: bigint, except: bigint | null): Promise<Buffer[]> {
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session
    where member_id = ${memberId} and id is distinct from ${except}::bigint returning token_hash`.execute(tx);
  return hashes(rows);
}

/** The same of an operator, with what was opened from them. */
export async function deleteOperatorSessions(tx: Tx, operatorId: bigint, except: bigint | null): Promise<Buffer[]> {
  return deleteWithOpened(tx, sql`operator_id = ${operatorId} and id is distinct from ${except}::bigint`);
}

/** One sign-in of an operator, with what was opened from it. */
export async function deleteOperatorSession(tx: Tx, operatorId: bigint, id: bigint): Promise<Buffer[]> {
  return deleteWithOpened(tx, sql`operator_id = ${operatorId} and id = ${id}`);
}

/** What was opened from a sign-in would go with it anyway; taken first, so that its token is told as well. */
async function deleteWithOpened(tx: Tx, condition: RawBuilder<unknown>): Promise<Buffer[]> {
  const { rows: opened } = await sql<Deleted>`
    delete from identity.auth_session
    where opened_from in (select id from identity.auth_session where ${condition}) returning token_hash`.execute(tx);
  const { rows } = await sql<Deleted>`
    delete from identity.auth_session where ${condition} returning token_hash`.execute(tx);
  return hashes([...rows, ...opened]);
}

/** When each device that these members signed in from was first seen. */
export async function listKnownDevices(
  db: Db,
  memberIds: readonly bigint[],
): Promise<{ readonly memberId: bigint; readonly firstSeenAt: Date }[]> {
  const { rows } = await sql<{ memberId: bigint; firstSeenAt: Date }>`
    select member_id as "memberId", first_seen_at as "firstSeenAt" from identity.known_device
    where member_id = any (${[...memberIds]}::bigint[])`.execute(db);
  return rows;
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
