import { expect, test } from 'vitest';
import { findTotpStep, makeTotpSecret, totpOf, totpUri, writeTotpSecret } from './second-factor.ts';

/** RFC 6238, appendix B: the secret and the last six of the eight digits its table has for SHA-1. */
const secret = Buffer.from('12345678901234567890');
const vectors = [
  ['1970-01-01T00:00:59Z', '287082', 1],
  ['2005-03-18T01:58:29Z', '081804', 37_037_036],
  ['2005-03-18T01:58:31Z', '050471', 37_037_037],
  ['2009-02-13T23:31:30Z', '005924', 41_152_263],
  ['2033-05-18T03:33:20Z', '279037', 66_666_666],
  ['2603-10-11T11:33:20Z', '353130', 666_666_666],
] as const;

test.each(vectors)('at %s the code is %s', (at, code, step) => {
  expect(findTotpStep(secret, code, new Date(at))).toBe(step);
  expect(totpOf(writeTotpSecret(secret), new Date(at))).toBe(code);
});

test.each([
  ['two steps early', '2009-02-13T23:30:29.999Z', undefined],
  ['one step early', '2009-02-13T23:31:00Z', 41_152_263],
  ['on time', '2009-02-13T23:31:59.999Z', 41_152_263],
  ['one step late', '2009-02-13T23:32:29.999Z', 41_152_263],
  ['two steps late', '2009-02-13T23:32:30Z', undefined],
])('a code %s gives %s', (_when, at, step) => {
  expect(findTotpStep(secret, '005924', new Date(at))).toBe(step);
});

test('a code of another secret is wrong', () => {
  const other = Buffer.from('12345678901234567891');
  for (const [at, code] of vectors) expect(findTotpStep(other, code, new Date(at))).toBeUndefined();
});

test('a secret has 160 random bits, and the address of the QR code has all an app needs', () => {
  const [one, other] = [makeTotpSecret(), makeTotpSecret()];
  expect(one).toHaveLength(20);
  expect(one.equals(other)).toBe(false);
  expect(writeTotpSecret(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const uri = new URL(totpUri(secret, 'Trade & Wind', 'anna@mail.example'));
  expect(`${uri.protocol}//${uri.host}`).toBe('otpauth://totp');
  expect(decodeURIComponent(uri.pathname)).toBe('/Trade & Wind:anna@mail.example');
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(uri.searchParams.get('issuer')).toBe('Trade & Wind');
});
