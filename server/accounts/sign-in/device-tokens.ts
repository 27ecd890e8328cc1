import { sql } from 'kysely';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findValue } from '#server/db/rows.ts';
import { hashToken, makeToken } from '#server/random-text.ts';
import type { LoginId } from '../core/login-id.ts';
import { type Owner, ownedBy, ownerColumns } from '../owner.ts';

/** The header with a browser's device tokens, separated by commas: one for each account it signed in to. */
const HEADER = 'x-device-token';
const MAX_SENT = 4;
const LIFE_DAYS = 180;
/** Beyond this number the least recently used one is deleted. */
const MAX_PER_OWNER = 30;

/** Hashes, in hex, of the device tokens in a request. They are not verified yet. */
export type SentDevices = readonly string[];

/** The sender of a sign-in. */
export type SentFrom = {
  readonly userAgent: string;
  readonly address: string;
  readonly devices?: SentDevices | undefined;
};

/** Malformed tokens are ignored. */
export function readDevices(headers: Readonly<Record<string, string | string[] | undefined>>): SentDevices {
  const sent = [headers[HEADER] ?? []].flat().flatMap((value) => value.split(',', 2 * MAX_SENT));
  const tokens = sent.map((token) => token.trim()).filter((token) => /^[A-Za-z0-9_-]{43}$/.test(token));
  return tokens.slice(0, MAX_SENT).map((token) => hashToken(token).toString('hex'));
}

const isOneOf = (devices: SentDevices) =>
  sql<boolean>`d.token_hash in (select decode(sent, 'hex') from unnest(${[...devices]}::text[]) as sent)`;

/**
 * The known device of this account among those that were sent. Tokens of other accounts, revoked and made-up ones are
 * all treated as unknown.
 *
 * @param tried the secret that is tried: a device known only from a password reset counts for passwords only
 */
export const findDevice = (
  db: Db,
  owner: Owner,
  devices: SentDevices,
  tried: { readonly secret: 'password' | 'second_factor'; readonly now: Date },
) =>
  findValue(db)<bigint>`
    select d.id from identity.device_token d
    where ${isOneOf(devices)} and ${ownedBy(owner)} and d.expires_at > ${tried.now}
      and (d.is_full or ${tried.secret === 'password'}::boolean) limit 1`;

/** The same for a member's login as entered, in one query whether the member exists or not. */
export function findDeviceOfLogin(db: Db, login: LoginId, devices: SentDevices, now: Date) {
  const isMeant = login.kind === 'email' ? sql`lower(m.email) = ${login.value}` : sql`m.referral_code = ${login.value}`;
  return findValue(db)<bigint>`
    select d.id from identity.device_token d join identity.member m on m.id = d.member_id
    where ${isOneOf(devices)} and ${isMeant} and d.expires_at > ${now} limit 1`;
}

/** The same for an operator's email address. */
export const findDeviceOfOperator = (db: Db, email: string, devices: SentDevices, now: Date) =>
  findValue(db)<bigint>`
    select d.id from identity.device_token d join identity.operator o on o.id = d.operator_id
    where ${isOneOf(devices)} and lower(o.email) = ${email} and d.expires_at > ${now} limit 1`;

export type KnownDevice = {
  readonly id: bigint;
  /** Only for a device that was not known before. */
  readonly token?: string;
};

/**
 * Makes the device of a sign-in known, or extends its lifetime. A device known from a password reset becomes fully
 * known with the first sign-in that verifies all factors.
 *
 * @param isFull whether every factor of the account was verified
 */
export async function rememberDevice(
  tx: Tx,
  owner: Owner,
  given: { readonly devices: SentDevices; readonly isFull: boolean; readonly now: Date },
): Promise<KnownDevice> {
  const { devices, isFull, now } = given;
  const expiresAt = new Date(now.getTime() + LIFE_DAYS * 86_400_000);
  const known = await findValue(tx)<bigint>`
    update identity.device_token d
    set last_used_at = ${now}, expires_at = ${expiresAt}, is_full = d.is_full or ${isFull}
    where ${isOneOf(devices)} and ${ownedBy(owner)} and d.expires_at > ${now} returning d.id`;
  if (known !== undefined) return { id: known };
  const token = makeToken();
  const { memberId, operatorId } = ownerColumns(owner);
  const id = await findValue(tx)<bigint>`
    insert into identity.device_token (token_hash, member_id, operator_id, is_full, created_at, last_used_at, expires_at)
    values (${hashToken(token)}, ${memberId}, ${operatorId}, ${isFull}, ${now}, ${now}, ${expiresAt}) returning id`;
  if (id === undefined) throw new Error('a device was not stored');
  await execute(tx)`
    delete from identity.device_token where ${ownedBy(owner)} and id in (
      select id from identity.device_token where ${ownedBy(owner)}
      order by last_used_at desc, id desc offset ${MAX_PER_OWNER})`;
  return { id, token };
}

/** Forgets an owner's devices, except the one of the sign-in that stays. */
export const deleteDevices = (tx: Tx, owner: Owner, exceptOfSession: bigint | null) =>
  execute(tx)`
    delete from identity.device_token where ${ownedBy(owner)} and id is distinct from (
      select device_id from identity.auth_session where id = ${exceptOfSession}::bigint)`;

/** Links a sign-in to its device, if the device became known later. */
export const updateDeviceOf = (tx: Tx, authSessionId: bigint, deviceId: bigint) =>
  execute(tx)`update identity.auth_session set device_id = ${deviceId} where id = ${authSessionId}`;

/** Forgets the device of one sign-in. */
export const deleteDeviceOf = (tx: Tx, owner: Owner, authSessionId: bigint) =>
  execute(tx)`
    delete from identity.device_token where ${ownedBy(owner)} and id = (
      select device_id from identity.auth_session where id = ${authSessionId})`;
