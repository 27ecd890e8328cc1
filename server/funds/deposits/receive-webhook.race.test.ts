import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isLockTimeout } from '#server/db/faults.ts';
import { inTransaction } from '#server/db/tx.ts';
import { listStatement } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { deliverEvents, type SignedEvent } from '../gateways/sandbox/deliver-events.ts';
import { deliverInProcess, payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { followDeposit, receiveWebhook } from './follow-deposit.ts';
import { reconcileDeposits } from './reconcile-deposits.ts';

const CONCURRENCY = 32;

const world = closeAfterAll(await openFundsWorld());

/** Processes all items with the given concurrency. */
async function inParallel<T>(items: readonly T[], hands: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...items];
  const hand = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: hands }, hand));
}

test('500 deliveries of five deposits, 32 at once: each is credited exactly once', async () => {
  const memberId = await world.addMember();
  const events: SignedEvent[] = [];
  const keep = async (event: SignedEvent) => {
    events.push(event);
    return 200;
  };
  for (const amount of [100, 200, 300, 400, 500]) {
    const deposit = await world.addDeposit(amount, memberId);
    await payInSandbox(world.context, { depositId: deposit.id }, 'full', { deliver: keep });
  }
  const deliveries = Array.from({ length: 500 }, (_, index) => events[(index * 7) % events.length] as SignedEvent);
  expect(new Set(deliveries).size).toBe(events.length);
  const deliver = ({ rawBody, headers }: SignedEvent) => receiveWebhook(world.context, world.gateway, rawBody, headers);
  // On a slow machine one waits too long for its deposit, and the gateway delivers it again.
  await inParallel(deliveries, CONCURRENCY, (event) =>
    deliver(event).catch((error) => (isLockTimeout(error) ? deliver(event) : Promise.reject(error))),
  );
  expect(await world.primary(memberId)).toBe(usd(1500));
  expect(await listStatement(world.context.db, { memberId, limit: 100 })).toHaveLength(5);
  expect(await world.messages(memberId)).toHaveLength(5);
});

test('webhooks, reconciliation and further payments at once never book more or less than was confirmed', async () => {
  const memberId = await world.addMember();
  const deposit = await world.addDeposit(100, memberId);
  const before = await world.unallocated();
  const deliver = deliverInProcess(world.context);
  await payInSandbox(world.context, { depositId: deposit.id }, 'full');
  await inParallel(
    Array.from({ length: 24 }, (_, index) => index),
    CONCURRENCY,
    async (index) => {
      if (index % 3 === 0) await payInSandbox(world.context, { depositId: deposit.id }, 'again');
      else if (index % 3 === 1) await reconcileDeposits(world.context, [world.gateway]);
      else await deliverEvents(world.context, deliver);
    },
  );
  expect(await world.primary(memberId)).toBe(usd(100));
  expect((await world.unallocated()) - before).toBe(usd(800));
  expect(await world.find(deposit.id)).toMatchObject({
    state: 'review',
    booked_micros: usd(900),
    credited_micros: usd(100),
  });
});

test('concurrent reversals of a member’s deposits freeze the member once', async () => {
  const takenBack: Gateway = {
    ...world.gateway,
    findInvoice: async (id, known) => {
      const invoice = await world.gateway.findInvoice(id, known);
      return invoice && { ...invoice, status: 'Invalid', settledMicros: 0n };
    },
  };
  for (let round = 0; round < 5; round += 1) {
    const memberId = await world.addMember();
    const deposits: bigint[] = [];
    for (const amount of [100, 200, 300, 400, 500]) deposits.push((await world.addDeposit(amount, memberId)).id);
    for (const depositId of deposits) await payInSandbox(world.context, { depositId }, 'full');
    await inParallel(deposits, CONCURRENCY, (id) => followDeposit(world.context, takenBack, id));
    for (const id of deposits) expect((await world.find(id)).state).toBe('review');
    const frozen = (await world.messages(memberId)).filter((message) => message.includes('account was frozen'));
    expect(frozen).toHaveLength(1);
  }
});

test('the button pressed 32 times at once pays once', async () => {
  const deposit = await world.addDeposit(100);
  const presses = await Promise.allSettled(
    Array.from({ length: CONCURRENCY }, () => payInSandbox(world.context, { depositId: deposit.id }, 'full')),
  );
  expect(presses.filter((press) => press.status === 'fulfilled')).toHaveLength(1);
  expect(await world.primary(deposit.member_id)).toBe(usd(100));
});

test('each event is claimed by one sender, however many run', async () => {
  for (const amount of [10, 20, 30]) await world.addDeposit(amount);
  const sent: string[] = [];
  const deliver = async (event: SignedEvent) => {
    sent.push(JSON.parse(event.rawBody.toString()).deliveryId);
    return 200;
  };
  await Promise.all(Array.from({ length: 16 }, () => deliverEvents(world.context, deliver)));
  expect(sent.length).toBeGreaterThanOrEqual(3);
  expect(new Set(sent).size).toBe(sent.length);
});

test('a deposit that another session holds is reconciled afterwards, and others meanwhile', async () => {
  const deposits = [await world.addDeposit(100), await world.addDeposit(200)] as const;
  const lost = async () => 404;
  for (const { id } of deposits) await payInSandbox(world.context, { depositId: id }, 'full', { deliver: lost });
  const reconcile = () => reconcileDeposits(world.context, [world.gateway]);
  const states = () => Promise.all(deposits.map(async ({ id }) => (await world.find(id)).state));
  await inTransaction(world.context.db, async (tx) => {
    await sql`select 1 from funds.deposit where id = ${deposits[0].id} for update`.execute(tx);
    await expect(reconcile()).rejects.toThrow('Deposits that could not be reconciled: 1');
    expect(await states()).toEqual(['created', 'credited']);
  });
  await reconcile();
  expect(await states()).toEqual(['credited', 'credited']);
});
