import { describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { chooseGateways } from '../gateways/choose-gateway.ts';
import type { Gateway } from '../gateways/gateway.ts';
import type { SignedEvent } from '../gateways/sandbox/deliver-events.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { receiveWebhook } from './follow-deposit.ts';
import { signatureHeader, signBody } from './webhook-signature.ts';

const world = closeAfterAll(await openFundsWorld());

const receive = ({ rawBody, headers }: SignedEvent) => receiveWebhook(world.context, world.gateway, rawBody, headers);
const signed = (text: string, secret = world.context.config.sandboxSecret as string): SignedEvent => {
  const rawBody = Buffer.from(text);
  return { rawBody, headers: { [signatureHeader]: signBody(secret, rawBody) } };
};
const settledEvent = (invoiceId: string) =>
  JSON.stringify({ manuallyMarked: false, type: 'InvoiceSettled', invoiceId, metadata: {} }, null, 2);

/** Pays and captures the events instead of delivering them, so that a test can deliver them in any order. */
async function payUndelivered(
  depositId: bigint,
  ...args: [choice: Parameters<typeof payInSandbox>[2], amount?: number]
): Promise<SignedEvent[]> {
  const events: SignedEvent[] = [];
  const deliver = async (event: SignedEvent) => {
    events.push(event);
    return 200;
  };
  const amountMicros = args[1] === undefined ? undefined : usd(args[1]);
  await payInSandbox(world.context, { depositId }, args[0], { amountMicros, deliver });
  return events;
}
const typeOf = (event: SignedEvent): string => JSON.parse(event.rawBody.toString()).type;

describe('a forged or foreign event credits nothing', () => {
  test('unsigned, wrongly signed, or signed and then changed', async () => {
    const deposit = await world.addDeposit(100);
    const events = await payUndelivered(deposit.id, 'full');
    const settled = events.find((event) => typeOf(event) === 'InvoiceSettled') as SignedEvent;
    const rewritten = Buffer.from(JSON.stringify(JSON.parse(settled.rawBody.toString())));
    const forgeries: SignedEvent[] = [
      { rawBody: settled.rawBody, headers: {} },
      signed(settledEvent(deposit.invoice_id as string), 'a guessed secret'),
      { rawBody: rewritten, headers: settled.headers },
      { rawBody: Buffer.concat([settled.rawBody, Buffer.from('\n')]), headers: settled.headers },
    ];
    for (const forgery of forgeries) await expect(receive(forgery)).rejects.toThrow(new Refused('bad_signature'));
    expect((await world.find(deposit.id)).state).toBe('created');
    await receive(settled);
    expect((await world.find(deposit.id)).state).toBe('credited');
  });

  test('well signed, but not an event', async () => {
    for (const text of ['', '[]', '{"type":5,"invoiceId":"x"}', '{"type":"A","invoiceId":"\\u0000"}', 'not json']) {
      await expect(receive(signed(text))).rejects.toThrow(new Refused('unreadable_body'));
    }
  });

  test('of an invoice that is not ours: answered well, nothing done', async () => {
    await expect(receive(signed(settledEvent('somebody-elses-invoice')))).resolves.toBeUndefined();
  });

  test('says settled while the gateway itself says new', async () => {
    const deposit = await world.addDeposit(100);
    await receive(signed(settledEvent(deposit.invoice_id as string)));
    expect((await world.find(deposit.id)).state).toBe('created');
    expect(await world.primary(deposit.member_id)).toBe(0n);
  });

  test('an old event of one deposit does nothing for another', async () => {
    const memberId = await world.addMember();
    const [one, other] = [await world.addDeposit(100, memberId), await world.addDeposit(100, memberId)];
    const events = await payUndelivered(one.id, 'full');
    for (const event of [...events, ...events]) await receive(event);
    expect((await world.find(other.id)).state).toBe('created');
    expect(await world.primary(memberId)).toBe(usd(100));
  });

  test('events of an unknown type trigger a check and are harmless', async () => {
    const deposit = await world.addDeposit(100);
    await receive(signed(JSON.stringify({ type: 'InvoiceDanced', invoiceId: deposit.invoice_id, extra: [1, 2] })));
    expect((await world.find(deposit.id)).state).toBe('created');
  });
});

test('an unavailable gateway makes the event be sent again', async () => {
  const deposit = await world.addDeposit(100);
  const [event] = await payUndelivered(deposit.id, 'full');
  const silent = { ...world.gateway, findInvoice: () => Promise.reject(new Refused('gateway_unavailable')) };
  const { rawBody, headers } = event as SignedEvent;
  await expect(receiveWebhook(world.context, silent, rawBody, headers)).rejects.toMatchObject({ status: 503 });
  expect((await world.find(deposit.id)).state).toBe('created');
});

test('while the secret is changed, events signed with the one before are received, and afterwards refused', async () => {
  const deposit = await world.addDeposit(100);
  const events = await payUndelivered(deposit.id, 'full');
  const settled = events.find((event) => typeOf(event) === 'InvoiceSettled') as SignedEvent;
  const { config } = world.context;
  const receiveWith = (secrets: Pick<typeof config, 'sandboxSecret' | 'sandboxSecretBefore'>) => {
    const changed = { ...world.context, config: { ...config, ...secrets } };
    return receiveWebhook(changed, chooseGateways(changed)[0] as Gateway, settled.rawBody, settled.headers);
  };
  const next = 'the secret that comes next';
  const refused = new Refused('bad_signature');
  await expect(receiveWith({ sandboxSecret: next, sandboxSecretBefore: undefined })).rejects.toThrow(refused);
  await receiveWith({ sandboxSecret: next, sandboxSecretBefore: config.sandboxSecret });
  expect((await world.find(deposit.id)).state).toBe('credited');
});
