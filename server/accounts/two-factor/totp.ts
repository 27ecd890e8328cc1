import { randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { type RawBuilder, sql } from 'kysely';
import { generateSync, generateURI, verifySync } from 'otplib';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, hasRow } from '#server/db/rows.ts';
import type { Owner } from '../owner.ts';

/** The form every authenticator app knows without being told: SHA-1, six digits, a new code every 30 seconds. */
const FORM = { algorithm: 'sha1', digits: 6, period: 30 } as const;
/** 160 bits, as long as the hash (RFC 4226 section 4). */
const SECRET_BYTES = 20;

export const makeTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** As people type it into an app that has no camera. */
export const writeTotpSecret = (secret: Buffer): string => base32nopad.encode(secret);

/** What a QR code carries into the app. `label` says whose account it is, `issuer` at whom. */
export const totpUri = (secret: Buffer, issuer: string, label: string): string =>
  generateURI({ ...FORM, issuer, label, secret: writeTotpSecret(secret) });

/** The code of this moment, for a secret as an app shows it. */
export const totpOf = (secret: string, now: Date): string =>
  generateSync({ ...FORM, strategy: 'totp', secret, epoch: Math.floor(now.getTime() / 1000) });

/**
 * The time step whose code this is, or undefined. One step before and after are taken too, for clocks that are a little
 * off and people who type slowly. A code is right again within its time: the caller keeps the newest step that was taken.
 */
export function findTotpStep(secret: Buffer, otp: string, now: Date): number | undefined {
  const epoch = Math.floor(now.getTime() / 1000);
  const found = verifySync({ ...FORM, strategy: 'totp', secret, token: otp, epoch, epochTolerance: FORM.period });
  if (!found.valid) return undefined;
  return Math.floor(epoch / FORM.period) + found.delta;
}

type TotpRow = { readonly id: bigint; readonly secret: Buffer; readonly isConfirmed: boolean };

const read = (owner: Owner): { column: RawBuilder<unknown>; ownerId: bigint } =>
  'memberId' in owner
    ? { column: sql.ref('member_id'), ownerId: owner.memberId }
    : { column: sql.ref('operator_id'), ownerId: owner.operatorId };

export async function findTotp(db: Db, owner: Owner): Promise<TotpRow | undefined> {
  const { column, ownerId } = read(owner);
  const { rows } = await sql<{ id: bigint; secret: Uint8Array; confirmed_at: Date | null }>`
    select id, secret, confirmed_at from identity.totp where ${column} = ${ownerId}`.execute(db);
  const [row] = rows;
  return row && { id: row.id, secret: Buffer.from(row.secret), isConfirmed: row.confirmed_at !== null };
}

/** A new secret in place of one that no code was shown for; false when there is one that was confirmed. */
export async function upsertTotp(
  tx: Tx,
  owner: Owner,
  draft: { readonly secret: Buffer; readonly now: Date },
): Promise<boolean> {
  const { column, ownerId } = read(owner);
  return hasRow(tx)`
    insert into identity.totp as totp (${column}, secret, created_at)
    values (${ownerId}, ${draft.secret}, ${draft.now})
    on conflict (${column}) do update set
      secret = excluded.secret, last_step = 0, created_at = excluded.created_at
    where totp.confirmed_at is null
    returning id`;
}

/** Moves the newest step that was taken on; false when this one, or a later one, was taken before. */
const takeStep = (tx: Tx, id: bigint, step: number) =>
  hasRow(tx)`
    update identity.totp set last_step = ${step} where id = ${id} and last_step < ${step} returning id`;

/** Only the secret whose code was checked: it may have been replaced since. */
export const updateConfirmed = (
  tx: Tx,
  id: bigint,
  confirmed: { readonly secret: Buffer; readonly step: number; readonly now: Date },
) =>
  hasRow(tx)`
    update identity.totp set confirmed_at = ${confirmed.now}, last_step = ${confirmed.step}
    where id = ${id} and confirmed_at is null and secret = ${confirmed.secret} returning id`;

/** An app that is no longer asked for. */
export const deleteTotp = (tx: Tx, id: bigint) => execute(tx)`delete from identity.totp where id = ${id}`;

/**
 * Takes a code of a confirmed authenticator app, once: of twenty at the same moment one moves the step on. False for a
 * wrong, old or used code, and without an app. The caller has counted the try.
 */
export async function takeAppCode(tx: Tx, owner: Owner, otp: string, now: Date): Promise<boolean> {
  const totp = await findTotp(tx, owner);
  if (totp?.isConfirmed !== true) return false;
  const step = findTotpStep(totp.secret, otp, now);
  return step !== undefined && takeStep(tx, totp.id, step);
}
