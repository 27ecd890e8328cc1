import { describe, expect, test } from 'vitest';
import { isSignedBy, signBody } from './webhook-signature.ts';

/** Computed with `openssl dgst -sha256 -hmac`. */
const made = [
  {
    secret: 'a-secret-of-the-test',
    body: '{\n  "type": "InvoiceSettled",\n  "invoiceId": "abc"\n}',
    value: 'sha256=f96439401da7b48c78a97e08ad8c30876bc41e35fe43ec1d41161a3dc61e1c1f',
  },
  {
    secret: 'schlüssel',
    body: 'Zahlung ü 5 €',
    value: 'sha256=172fc18a75a46735427dfd913a16c26f5c83bbe063e672ce72e1144b3160f87e',
  },
];

// Recorded ones of a real server are read in gateways/btcpay/read-event.test.ts.
describe('the signature of a webhook', () => {
  test.each(made)('of $body is that of an independent program', ({ secret, body, value }) => {
    expect(signBody(secret, Buffer.from(body))).toBe(value);
    expect(isSignedBy([secret], Buffer.from(body), value)).toBe(true);
  });

  const [{ secret, body, value }] = made as [(typeof made)[number]];

  test('does not fit other bytes, another secret, or the same JSON written anew', () => {
    expect(isSignedBy([secret], Buffer.from(`${body}\n`), value)).toBe(false);
    expect(isSignedBy([`${secret}x`], Buffer.from(body), value)).toBe(false);
    expect(isSignedBy([secret], Buffer.from(JSON.stringify(JSON.parse(body))), value)).toBe(false);
  });

  test('fits with either of two secrets, in whichever order, and with no third', () => {
    expect(isSignedBy([secret, 'the one before'], Buffer.from(body), value)).toBe(true);
    expect(isSignedBy(['the next one', secret], Buffer.from(body), value)).toBe(true);
    expect(isSignedBy(['the next one', 'the one before'], Buffer.from(body), value)).toBe(false);
    expect(isSignedBy([], Buffer.from(body), value)).toBe(false);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['without its name', value.slice('sha256='.length)],
    ['cut short', value.slice(0, -1)],
    ['too long', `${value}0`],
    ['in capitals', value.toUpperCase()],
    ['sent twice', [value, value]],
    ['of another digit', value.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
    ['of letters that are no digits', `sha256=${'z'.repeat(64)}`],
  ])('is refused when %s', (_name, header) => {
    expect(isSignedBy([secret], Buffer.from(body), header)).toBe(false);
  });
});
