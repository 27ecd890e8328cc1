import { describe, expect, test } from 'vitest';
import { listRows } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import type { SandboxChoice } from '../../core/sandbox-invoice.ts';
import type { DepositRow } from '../../deposits/sql.ts';
import { signatureHeader } from '../../deposits/webhook-signature.ts';
import { openFundsWorld } from '../../funds-world.test-setup.ts';
import { deliverEvents, deliverOverHttp, getSandboxSecret, type SignedEvent } from './deliver-events.ts';
import { deliverInProcess, payInSandbox } from './pay-in-sandbox.ts';
import { sendDueDeliveries, webhookUrl } from './send-due-deliveries.ts';

const world = closeAfterAll(await openFundsWorld());

const pay = (deposit: DepositRow, choice: SandboxChoice) =>
  payInSandbox(world.context, { depositId: deposit.id }, choice);
const leftOf = async (deposit: DepositRow) => {
  const { state, credited_micros } = await world.find(deposit.id);
  return [state, credited_micros === null ? null : Number(credited_micros) / 1e6];
};

// The result of each choice is tested in deposits/receive-webhook.any.test.ts, its page in routes.any.test.ts.
describe('the payment page', () => {
  test('after the hour the clock alone makes a payment late', async () => {
    const deposit = await world.addDeposit(100);
    world.clock.advance(3600);
    await expect(pay(deposit, 'full')).rejects.toMatchObject({ code: 'validation', field: 'choice' });
    expect((await pay(deposit, 'again')).outcome).toBe('pending');
    expect(await leftOf(deposit)).toEqual(['review', null]);
  });

  test('a second press changes nothing, and what is not there is not found', async () => {
    const deposit = await world.addDeposit(100);
    await pay(deposit, 'full');
    await expect(pay(deposit, 'full')).rejects.toMatchObject({ code: 'validation', field: 'choice' });
    expect(await leftOf(deposit)).toEqual(['credited', 100]);
    const unknown = payInSandbox(world.context, { depositId: 999_999n }, 'full');
    await expect(unknown).rejects.toThrow(new Refused('not_found'));
  });
});

describe('deliveries', () => {
  const waiting = (deposit: DepositRow) => listRows(world.context.db)<{
    attempts: number;
    wait: number | null;
    answer_status: number | null;
  }>`
      select attempts, extract(epoch from next_attempt_at - ${world.clock.now()}::timestamptz)::int as wait, answer_status
      from funds.invoice_event where invoice_id = ${deposit.invoice_id} order by id`;

  test('that get no reply are retried until one comes, with a new id each time', async () => {
    const deposit = await world.addDeposit(100);
    const ids: { deliveryId: string; originalDeliveryId: string; isRedelivery: boolean }[] = [];
    const nobody = async ({ rawBody }: SignedEvent) => {
      ids.push(JSON.parse(rawBody.toString()));
      return null;
    };
    await deliverEvents(world.context, nobody, deposit.invoice_id as string);
    expect(await waiting(deposit)).toEqual([{ attempts: 1, wait: 10, answer_status: null }]);
    await deliverEvents(world.context, nobody, deposit.invoice_id as string);
    expect(ids).toHaveLength(1);
    world.clock.advance(10);
    await deliverEvents(world.context, nobody, deposit.invoice_id as string);
    expect(await waiting(deposit)).toEqual([{ attempts: 2, wait: 60, answer_status: null }]);
    expect(ids.map((id) => id.isRedelivery)).toEqual([false, true]);
    expect(new Set(ids.map((id) => id.originalDeliveryId)).size).toBe(1);
    expect(new Set(ids.map((id) => id.deliveryId)).size).toBe(2);
    world.clock.advance(60);
    await deliverEvents(world.context, deliverInProcess(world.context), deposit.invoice_id as string);
    expect(await waiting(deposit)).toEqual([{ attempts: 3, wait: null, answer_status: 200 }]);
  });

  test('that are refused for good are given up', async () => {
    const deposit = await world.addDeposit(100);
    await deliverEvents(world.context, async () => 401, deposit.invoice_id as string);
    expect(await waiting(deposit)).toEqual([{ attempts: 1, wait: null, answer_status: 401 }]);
  });

  test('whose sender died are claimed by the next', async () => {
    const deposit = await world.addDeposit(100);
    const dying = () => Promise.reject(new Error('killed'));
    await expect(deliverEvents(world.context, dying, deposit.invoice_id as string)).rejects.toThrow('killed');
    expect(await deliverEvents(world.context, async () => 200, deposit.invoice_id as string)).toBe(0);
    world.clock.advance(30);
    expect(await deliverEvents(world.context, async () => 200, deposit.invoice_id as string)).toBe(1);
  });

  test('the timed work expires invoices, confirms what a crash left behind, and sends', async () => {
    const [left, unpaid] = [await world.addDeposit(100), await world.addDeposit(100)];
    const dying = () => Promise.reject(new Error('killed'));
    const crash = payInSandbox(world.context, { depositId: left.id }, 'full', { deliver: dying });
    await expect(crash).rejects.toThrow('killed');
    world.clock.advance(3600);
    const run = await sendDueDeliveries(world.context, deliverInProcess(world.context));
    expect(run.confirmed).toBe(1);
    expect(run.expired).toBeGreaterThanOrEqual(1);
    expect(await leftOf(left)).toEqual(['credited', 100]);
    expect(await leftOf(unpaid)).toEqual(['expired', null]);
    expect(await sendDueDeliveries(world.context, deliverInProcess(world.context))).toEqual({
      expired: 0,
      confirmed: 0,
      delivered: 0,
    });
  });

  test('go over HTTP as they are; where nobody listens there is no answer', async () => {
    const { createServer } = await import('node:http');
    const seen: { body: string; signature: unknown }[] = [];
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        seen.push({ body: Buffer.concat(parts).toString(), signature: request.headers[signatureHeader] });
        response.writeHead(503).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const event = {
      rawBody: Buffer.from('{\n  "a": "ü"\n}'),
      headers: { 'content-type': 'application/json', [signatureHeader]: 'sha256=00' },
    };
    const deliver = deliverOverHttp(webhookUrl('127.0.0.1', port));
    expect(await deliver(event)).toBe(503);
    expect(seen).toEqual([{ body: '{\n  "a": "ü"\n}', signature: 'sha256=00' }]);
    await new Promise((resolve) => server.close(resolve));
    expect(await deliver(event)).toBeNull();
  });
});

test('without a configured secret one is made and shared by all', async () => {
  const context = { ...world.context, config: { ...world.context.config, sandboxSecret: undefined } };
  const secrets = await Promise.all([getSandboxSecret(context), getSandboxSecret(context)]);
  expect(secrets[0]).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await getSandboxSecret(context)).toBe(secrets[0]);
  expect(secrets[1]).toBe(secrets[0]);
  expect(await getSandboxSecret(world.context)).toBe('a secret of the test alone');
});
