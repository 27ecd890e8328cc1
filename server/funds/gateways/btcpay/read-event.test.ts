import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { signatureHeader, signBody } from '../../deposits/webhook-signature.ts';
import { readEvent } from './gateway.ts';

type Recorded = { secret: string; deliveries: { name: string; signature: string; body: string }[] };
const { secret, deliveries }: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../test/fake-servers/fixtures/btcpay-deliveries.json'), 'utf8'),
);
const store = { storeId: 'BJKmPvug3KHVWyu1ECEiAstAQXFjJD1fX87EcgEhHVLT', webhookSecrets: [secret] };
const read = (body: string, signature: string, of = store) =>
  readEvent(of, Buffer.from(body), { [signatureHeader]: signature });
const signed = (body: string) => read(body, signBody(secret, Buffer.from(body)));

describe('a recorded delivery', () => {
  test.each(deliveries)('$name says which invoice to look at', ({ name, body, signature }) => {
    expect(read(body, signature)).toEqual({ type: name.split('.')[0], invoiceId: '6wmoR7p5UFVzCYuwyiViKX' });
  });

  test.each(deliveries)('$name written anew, or signed for somebody else, is refused', ({ body, signature }) => {
    const refused = new Refused('bad_signature');
    expect(() => read(JSON.stringify(JSON.parse(body)), signature)).toThrow(refused);
    expect(() => read(`${body}\n`, signature)).toThrow(refused);
    expect(() => read(body, signature, { ...store, webhookSecrets: [`${secret}!`] })).toThrow(refused);
  });

  test.each(deliveries)('$name of another store is ignored, though it is signed with our secret', (delivery) => {
    expect(read(delivery.body, delivery.signature, { ...store, storeId: 'another' })).toBe('ignored');
  });
});

describe('a well signed body', () => {
  test.each(['', 'null', '[]', '{}', '{"type":5}', 'not json', '{"type":"InvoiceSettled","invoiceId":7}'])(
    '%s is not an event',
    (body) => {
      expect(() => signed(body)).toThrow(new Refused('unreadable_body'));
    },
  );

  test('about a payout is none of ours, and neither is one without a store', () => {
    const { storeId } = store;
    expect(signed(JSON.stringify({ type: 'PayoutApproved', storeId, payoutId: 'x' }))).toBe('ignored');
    expect(signed(JSON.stringify({ type: 'InvoiceSettled', invoiceId: 'x' }))).toBe('ignored');
  });
});
