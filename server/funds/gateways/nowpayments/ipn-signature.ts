import { createHmac, timingSafeEqual } from 'node:crypto';

/** Name of the header as Node spells it. */
export const ipnSignatureHeader = 'x-nowpayments-sig';

const FORM = /^[0-9a-f]{128}$/;

const hmac = (secret: string, data: Buffer | string) => createHmac('sha512', secret).update(data).digest();

/** Lowercase hex HMAC-SHA512 of a body as it is sent, keyed with the secret as UTF-8. */
export const signIpn = (secret: string, rawBody: Buffer | string): string => hmac(secret, rawBody).toString('hex');

/**
 * True when the header signs this body with one of the secrets: the bytes as they came, or else the same JSON written
 * compactly with the keys of every object in order, which is what NOWPayments signs and not always what it sends. Sorting
 * the outermost keys alone would leave nested values unsigned. All candidates are compared whichever fits, each in the
 * same time wherever the first difference is, so that a signature cannot be found out digit by digit.
 */
export function isSignedIpn(secrets: readonly string[], rawBody: Buffer, header: unknown): boolean {
  if (typeof header !== 'string' || !FORM.test(header)) return false;
  const given = Buffer.from(header, 'hex');
  const sorted = writeSorted(rawBody);
  const candidates = sorted === undefined ? [rawBody] : [rawBody, sorted];
  const fits = secrets.flatMap((secret) => candidates.map((data) => timingSafeEqual(given, hmac(secret, data))));
  return fits.includes(true);
}

/** `{"b":[{"d":1,"c":2}],"a":3}` becomes `{"a":3,"b":[{"c":2,"d":1}]}`; undefined for what is no JSON. */
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
