import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSignedIpn, signIpn } from './ipn-signature.ts';

type Recorded = {
  secret: string;
  ipns: {
    name: string;
    signature: string;
    signs_raw_body: boolean;
    signature_of_outermost_keys: string;
    body: string;
  }[];
};
const { secret, ipns }: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/fake-servers/fixtures/nowpayments-ipns.json'), 'utf8'),
);
const isSigned = (body: string, signature: unknown, secrets = [secret]) =>
  isSignedIpn(secrets, Buffer.from(body), signature);

describe('a recorded notification', () => {
  test.each(ipns)('$name carries the signature of its secret', ({ body, signature, signs_raw_body }) => {
    expect(isSigned(body, signature)).toBe(true);
    expect(signIpn(secret, body) === signature).toBe(signs_raw_body);
    // Written anew in another order: the sorted text is what is signed.
    const turned = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).toReversed()), null, 2);
    expect(isSigned(turned, signature)).toBe(true);
  });

  test.each(ipns)('$name with the signature of its outermost keys alone is refused', (ipn) => {
    expect(isSigned(ipn.body, ipn.signature_of_outermost_keys)).toBe(false);
  });

  test.each(ipns)('$name changed anywhere, or signed for somebody else, is refused', ({ body, signature }) => {
    const ipn = JSON.parse(body);
    const changes = [
      { ...ipn, payment_id: ipn.payment_id + 1 },
      { ...ipn, payment_status: 'Finished' },
      { ...ipn, fee: { ...ipn.fee, serviceFee: 7 } },
      { ...ipn, extra: null },
    ];
    for (const changed of changes) expect(isSigned(JSON.stringify(changed), signature)).toBe(false);
    expect(isSigned(body, signature, [`${secret}!`])).toBe(false);
    expect(isSigned(body, signature.toUpperCase())).toBe(false);
    expect(isSigned(body, `${signature}00`)).toBe(false);
    for (const none of [undefined, '', [signature], 5]) expect(isSigned(body, none)).toBe(false);
  });

  test.each(ipns)('$name is read while the secret is changed, whichever of the two signed it', (ipn) => {
    const next = 'the secret that comes next';
    expect(isSigned(ipn.body, ipn.signature, [next, secret])).toBe(true);
    expect(isSigned(ipn.body, signIpn(next, ipn.body), [next, secret])).toBe(true);
    expect(isSigned(ipn.body, ipn.signature, [next])).toBe(false);
  });
});

test('what is no JSON is signed as bytes alone', () => {
  expect(isSigned('no json', signIpn(secret, 'no json'))).toBe(true);
  expect(isSigned('no json ', signIpn(secret, 'no json'))).toBe(false);
  const odd = '{"__proto__":{"b":1,"a":2},"a":1}';
  expect(isSigned(odd, signIpn(secret, '{"__proto__":{"a":2,"b":1},"a":1}'))).toBe(true);
  expect(isSigned(odd, signIpn(secret, '{"a":1}'))).toBe(false);
});
