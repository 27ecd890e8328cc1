import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header name in Node's lower case. */
export const ipnSignatureHeader = 'x-nowpayments-sig';

const FORM = /^[0-9a-f]{128}$/;

const hmac = (secret: string, data: Buffer | string) => createHmac('sha512', secret).update(data).digest();

/** Lowercase hex HMAC-SHA512 of the raw body, keyed with the secret as UTF-8. */
export const signIpn = (secret: string, rawBody: Buffer | string): string => hmac(secret, rawBody).toString('hex');

/**
 * Whether the header signs this body with one of the secrets: either the raw bytes, or the same JSON in compact form
 * with sorted keys, which is what NOWPayments signs but not always what it sends. Keys are sorted at every level, or
 * nested values would be unsigned. All candidates are compared in constant time, to prevent timing attacks.
 */
export function isSignedIpn(secrets: readonly string[], rawBody: Buffer, header: unknown): boolean {
  if (typeof header !== 'string' || !FORM.test(header)) return false;
  const given = Buffer.from(header, 'hex');
  const sorted = writeSorted(rawBody);
  const candidates = sorted === undefined ? [rawBody] : [rawBody, sorted];
  const matches = secrets.flatMap((secret) => candidates.map((data) => timingSafeEqual(given, hmac(secret, data))));
  return matches.includes(true);
}

/** `{"b":[{"d":1,"c":2}],"a":3}` becomes `{"a":3,"b":[{"c":2,"d":1}]}`; undefined for invalid JSON. */
function writeSorted(rawBody: Buffer): string | undefined {
  try {
    return JSON.stringify(sortKeys(JSON.parse(rawBody.toString('utf8'))));
  } catch {
    return undefined;
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  // Without a prototype, so that a key like __proto__ stays one.
  const sorted: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    sorted[key] = sortKeys(inner);
  return sorted;
}
