import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, findValue, getValue, hasRow, listRows } from '#server/db/rows.ts';

/** What the legal contact reads about an admin. */
export type ConfirmedAdmin = {
  readonly id: bigint;
  readonly name: string;
  readonly email: string;
  /** Names of their passkeys, in the order they were added. */
  readonly passkeys: readonly string[];
};

/** Whether this mailbox is an operator's: the legal contact must be someone else. */
const isOperators = (address: RawBuilder<unknown>) => sql<boolean>`
  exists (select from identity.operator x where lower(x.email) = lower(${address}) and x.disabled_at is null)`;

export const isOperatorsMailbox = async (db: Db, address: string): Promise<boolean> =>
  (await findValue(db)<boolean>`select ${isOperators(sql`${address}`)}`) === true;

/**
 * Admins with a passkey who need a link: without one, with an expired one, with one sent to another address, or
 * confirmed by an operator.
 */
export const listUnasked = (tx: Tx, sentTo: string, now: Date) =>
  listRows(tx)<ConfirmedAdmin>`
    select o.id, o.name, o.email,
           array(select p.name from identity.passkey p where p.operator_id = o.id order by p.id) as passkeys
    from identity.operator o left join identity.legal_confirmation c on c.operator_id = o.id
    where o.role = 'admin' and o.disabled_at is null and o.password_hash is not null
      and exists (select from identity.passkey p where p.operator_id = o.id)
      and (c.operator_id is null
        or (c.confirmed_at is null and (c.expires_at <= ${now} or lower(c.sent_to) <> lower(${sentTo})))
        or ${isOperators(sql`c.sent_to`)})
    order by o.id for update of o`;

export const upsertLink = (
  tx: Tx,
  link: {
    readonly operatorId: bigint;
    readonly tokenHash: Buffer;
    readonly sentTo: string;
    readonly now: Date;
    readonly expiresAt: Date;
  },
) =>
  execute(tx)`
    insert into identity.legal_confirmation (operator_id, token_hash, sent_to, sent_at, expires_at)
    values (${link.operatorId}, ${link.tokenHash}, ${link.sentTo}, ${link.now}, ${link.expiresAt})
    on conflict (operator_id) do update set
      token_hash = excluded.token_hash, sent_to = excluded.sent_to, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, confirmed_at = null`;

export type OpenLink = ConfirmedAdmin & { readonly sentTo: string; readonly expiresAt: Date };

/**
 * The admin of an emailed link; undefined if it is unknown, used or expired, they are no admin with a passkey, or it
 * was sent to an operator.
 */
export const findOpenLink = (db: Db, tokenHash: Buffer, now: Date) =>
  findRow(db)<OpenLink>`
    select o.id, o.name, o.email, c.sent_to as "sentTo", c.expires_at as "expiresAt",
           array(select p.name from identity.passkey p where p.operator_id = o.id order by p.id) as passkeys
    from identity.legal_confirmation c join identity.operator o on o.id = c.operator_id
    where c.token_hash = ${tokenHash} and c.expires_at > ${now} and not ${isOperators(sql`c.sent_to`)}
      and o.role = 'admin' and o.disabled_at is null and o.password_hash is not null
      and exists (select from identity.passkey p where p.operator_id = o.id)`;

/** Consumes a link: of two concurrent attempts one gets the row. */
export const updateConfirmed = (tx: Tx, tokenHash: Buffer, now: Date) =>
  hasRow(tx)`
    update identity.legal_confirmation set confirmed_at = ${now}, token_hash = null
    where token_hash = ${tokenHash} and expires_at > ${now} returning 1`;

/** The deleted confirmation, whether requested or given; undefined without one. */
export const deleteConfirmation = (tx: Tx, operatorId: bigint) =>
  findRow(tx)<{ confirmedAt: Date | null }>`
    delete from identity.legal_confirmation where operator_id = ${operatorId}
    returning confirmed_at as "confirmedAt"`;

/** Confirmed admins that count towards payouts: active, with a passkey, and not confirmed by an operator. */
export const countConfirmed = (db: Db): Promise<number> =>
  getValue(db)<number>`
    select count(*)::int as count
    from identity.operator o join identity.legal_confirmation c on c.operator_id = o.id
    where c.confirmed_at is not null and not ${isOperators(sql`c.sent_to`)} and o.role = 'admin' and o.disabled_at is null and o.password_hash is not null
      and exists (select from identity.passkey p where p.operator_id = o.id)`;

/** Blocks the end of confirmations, which locks the operator's row first. */
export const shareAdmins = (tx: Tx) =>
  execute(tx)`select 1 from identity.operator where role = 'admin' order by id for share`;
