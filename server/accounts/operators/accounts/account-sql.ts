import { type RawBuilder, sql } from 'kysely';
import type { OperatorRole } from '#contract/endpoint.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue, getValue, listRows } from '#server/db/rows.ts';
import { deletePasskeyChallenges } from '../../passkeys/ceremonies.ts';
import { deletePasskeys } from '../../passkeys/passkeys.ts';
import type { Operator } from '../operator-sql.ts';

export type OperatorAccount = Operator & {
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly invitationExpiresAt: Date | null;
  /** Active sign-ins. */
  readonly signIns: number;
  readonly lastUsedAt: Date | null;
};

const listWhere = (db: Db, now: Date, condition: RawBuilder<unknown>) =>
  listRows(db)<OperatorAccount>`
    select o.id, o.email, o.name, o.role, o.created_at as "createdAt", o.disabled_at as "disabledAt",
      o.password_hash is not null as "hasPassword",
      exists (select from identity.totp t where t.operator_id = o.id and t.confirmed_at is not null)
        or exists (select from identity.passkey p where p.operator_id = o.id) as "hasSecondFactor",
      (select i.expires_at from identity.operator_invitation i where i.operator_id = o.id) as "invitationExpiresAt",
      s.sign_ins as "signIns", s.last_used_at as "lastUsedAt"
    from identity.operator o,
      lateral (select count(*)::int as sign_ins, max(last_used_at) as last_used_at from identity.auth_session s
               where s.operator_id = o.id and s.expires_at > ${now}) s
    where ${condition}
    order by o.disabled_at is not null, o.name, o.id`;

export const listAccounts = (db: Db, now: Date): Promise<OperatorAccount[]> => listWhere(db, now, sql`true`);

export const findAccount = async (db: Db, id: bigint, now: Date): Promise<OperatorAccount | undefined> =>
  (await listWhere(db, now, sql`o.id = ${id}`))[0];

export const findAccountByEmail = async (db: Db, email: string, now: Date): Promise<OperatorAccount | undefined> =>
  (await listWhere(db, now, sql`lower(o.email) = ${email}`))[0];

/** Serializes decisions about operators; held until the transaction ends. */
export const lockDecisions = (tx: Tx) =>
  execute(tx)`select pg_advisory_xact_lock(hashtextextended('identity.operator', 0))`;

/** Whether there have ever been two admins. */
export const hadTwoAdmins = (tx: Tx): Promise<boolean> =>
  getValue(tx)<boolean>`select count(*) >= 2 from identity.operator where admin_at is not null`;

/** Recipients of emails about operators: all who accepted their invitation, and those named. */
export const listMailboxes = (tx: Tx, to: { readonly everybody: boolean; readonly ids: readonly bigint[] }) =>
  listRows(tx)<{ name: string; email: string }>`
    select name, email from identity.operator
    where (${to.everybody}::boolean and disabled_at is null and password_hash is not null)
      or id = any(${to.ids}::bigint[])
    order by id`;

type Draft = { readonly email: string; readonly name: string; readonly role: OperatorRole; readonly now: Date };

/** An account without a password. The disabled one with this id is restored as new; no other is. */
export const insertInvited = (tx: Tx, restoredId: bigint | null, { email, name, role, now }: Draft) =>
  findValue(tx)<bigint>`
    insert into identity.operator as o (email, name, role, created_at) values (${email}, ${name}, ${role}, ${now})
    on conflict (lower(email)) do update set name = excluded.name, role = excluded.role, disabled_at = null
    where o.disabled_at is not null and o.id = ${restoredId}
    returning id`;

export const updateRole = (tx: Tx, id: bigint, role: OperatorRole) =>
  execute(tx)`update identity.operator set role = ${role} where id = ${id}`;

/** Ends their approvals for good: none counts again if they are raised later. */
export const updateLowered = (tx: Tx, id: bigint, role: OperatorRole, now: Date) =>
  execute(tx)`update identity.operator set role = ${role}, accepted_at = ${now} where id = ${id}`;

/** Deletes all credentials. Locks the row first, so that a concurrent sign-in waits and sees the change. */
export async function deleteCredentials(tx: Tx, id: bigint): Promise<void> {
  await execute(tx)`update identity.operator set password_hash = null where id = ${id}`;
  await execute(tx)`delete from identity.totp where operator_id = ${id}`;
  await deletePasskeys(tx, { operatorId: id });
  await deletePasskeyChallenges(tx, { operatorId: id });
  await execute(tx)`delete from identity.operator_invitation where operator_id = ${id}`;
}

export const updateDisabled = (tx: Tx, id: bigint, now: Date) =>
  execute(tx)`update identity.operator set disabled_at = ${now} where id = ${id} and disabled_at is null`;
