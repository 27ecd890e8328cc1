import { createHmac, timingSafeEqual } from 'node:crypto';

/** Name of the header as Node spells it. */
export const signatureHeader = 'btcpay-sig';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** `sha256=` and the lowercase hex HMAC-SHA256 of the raw bytes, keyed with the secret as UTF-8. */
export function signBody(secret: string, rawBody: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * True when the header signs exactly these bytes with one of the secrets: two while the secret is changed (docs/operations.md,
 * "Secrets"). The comparison takes the same time wherever the first difference is, and all secrets are compared whichever
 * fits, so that a signature cannot be found out digit by digit. Bodies are signed as they are written (pretty-printed JSON):
 * parsing and writing them again gives other bytes and another signature.
 */
export function isSignedBy(secrets: readonly string[], rawBody: Buffer, header: unknown): boolean {
  const given = typeof header === 'string' ? FORM.exec(header)?.[1] : undefined;
  if (given === undefined) return false;
  const signature = Buffer.from(given, 'hex');
  const fits = secrets.map((secret) =>
    timingSafeEqual(signature, createHmac('sha256', secret).update(rawBody).digest()),
  );
  return fits.includes(true);
}
