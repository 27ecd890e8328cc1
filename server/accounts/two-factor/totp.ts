import { randomBytes } from 'node:crypto';
import { base32nopad } from '@scure/base';
import { generateSync, generateURI, verifySync } from 'otplib';

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
