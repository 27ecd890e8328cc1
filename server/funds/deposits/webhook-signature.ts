import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header name in Node's lower case. */
export const signatureHeader = 'btcpay-sig';

const FORM = /^sha256=([0-9a-f]{64})$/;

/** `sha256=` and the lowercase hex HMAC-SHA256 of the raw bytes, keyed with the secret as UTF-8. */
export function signBody(secret: string, rawBody: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`;
}

/**
 * Whether the header signs exactly these bytes with one of the secrets; there are two during a rotation
 * (docs/operations.md, "Secrets"). The comparison takes constant time and covers all secrets, to prevent timing
 * attacks. The signature covers the raw bytes (pretty-printed JSON): parsing and serializing them again would change
 * it.
 */
export function isSignedBy(secrets: readonly string[], rawBody: Buffer, header: unknown): boolean {
  const given = typeof header === 'string' ? FORM.exec(header)?.[1] : undefined;
  if (given === undefined) return false;
  const signature = Buffer.from(given, 'hex');
  const matches = secrets.map((secret) =>
    timingSafeEqual(signature, createHmac('sha256', secret).update(rawBody).digest()),
  );
  return matches.includes(true);
}
