import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { PayoutNetwork } from '#contract/funds/withdrawals.ts';
import type { Once } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { createDeposit } from './create-deposit.ts';
import { followDeposit, receiveWebhook } from './follow-deposit.ts';
import { listDeposits } from './list-deposits.ts';
import { reconcileDeposits } from './reconcile-deposits.ts';

const world = closeAfterAll(await openFundsWorld());

/** Two gateways backed by the sandbox's invoices, with a record of their calls. */
let asked: string[] = [];
const gatewayOf = (name: Gateway['name'], payWith: readonly PayoutNetwork[]): Gateway => ({
  ...world.gateway,
  name,
  payWith,
  createInvoice: (order) => {
    asked.push(`${name} makes ${order.payWith}`);
    return world.gateway.createInvoice(order);
  },
  findInvoice: (...args) => {
    asked.push(name);
    return world.gateway.findInvoice(...args);
  },
});
const coins = gatewayOf('btcpay', ['BTC']);
const dollars = gatewayOf('sandbox', ['TRC20', 'ERC20']);
const both = [coins, dollars];
const WEEK_MS = 7 * 24 * 3_600_000;
const create = (memberId: bigint, pay_with?: PayoutNetwork, once?: Once, gateways = both) =>
  createDeposit(world.context, memberId, { amount: 100, pay_with }, once, gateways);

test('a deposit is made, followed and reconciled at the gateway of what was chosen', async () => {
  const memberId = await world.addMember();
  asked = [];
  const inCoins = await create(memberId, 'BTC');
  const inDollars = await create(memberId, 'ERC20');
  expect(asked).toEqual(['btcpay makes BTC', 'sandbox makes ERC20']);
  expect(inCoins.pay_with).toBe('BTC');
  expect(await world.find(BigInt(inCoins.id))).toMatchObject({ gateway: 'btcpay', pay_with: 'BTC' });
  expect(await world.find(BigInt(inDollars.id))).toMatchObject({ gateway: 'sandbox', pay_with: 'ERC20' });

  asked = [];
  await payInSandbox(world.context, { depositId: BigInt(inCoins.id) }, 'full', { deliver: async () => 200 });
  expect(await reconcileDeposits(world.context, both)).toEqual({ checked: 2, changed: 1 });
  expect(asked.toSorted()).toEqual(['btcpay', 'sandbox']);
  expect(await world.find(BigInt(inCoins.id))).toMatchObject({ state: 'credited', credited_micros: usd(100) });
});

test('a deposit left without an invoice fails when its time to pay is over, in Bitcoin after a quarter of an hour', async () => {
  const silent = both.map((gateway) => ({
    ...gateway,
    createInvoice: () => Promise.reject(new Refused('gateway_unavailable')),
  }));
  const memberId = await world.addMember();
  for (const payWith of ['ERC20', 'BTC'] as const)
    await expect(create(memberId, payWith, undefined, silent)).rejects.toMatchObject({ status: 503 });
  const states = async () =>
    (await listDeposits(world.context, memberId, { limit: 2 })).items.map(({ pay_with, state }) => [pay_with, state]);
  world.clock.advance(899);
  await expect(reconcileDeposits(world.context, silent)).rejects.toThrow();
  expect(await states()).toEqual([
    ['BTC', 'created'],
    ['ERC20', 'created'],
  ]);
  world.clock.advance(1);
  await expect(reconcileDeposits(world.context, silent)).rejects.toThrow();
  expect(await states()).toEqual([
    ['BTC', 'failed'],
    ['ERC20', 'created'],
  ]);
  world.clock.advance(2700);
  await reconcileDeposits(world.context, silent);
  expect((await states())[1]).toEqual(['ERC20', 'failed']);
});

test('an event of one gateway does not affect an invoice of the other', async () => {
  const deposit = await world.find(BigInt((await create(await world.addMember(), 'BTC')).id));
  const event = { type: 'InvoiceSettled', invoiceId: deposit.invoice_id as string };
  asked = [];
  await receiveWebhook(world.context, { ...dollars, readEvent: async () => event }, Buffer.from(''), {});
  expect(asked).toEqual([]);
  await receiveWebhook(world.context, { ...coins, readEvent: async () => event }, Buffer.from(''), {});
  expect(asked).toEqual(['btcpay']);
});

test('an interrupted request continues at its gateway, and at none when that is no longer configured', async () => {
  const memberId = await world.addMember();
  const once: Once = { callerId: memberId, call: 'POST /secure/create', key: 'broken-off', bodyHash: 'h' };
  const away: Gateway = { ...coins, createInvoice: () => Promise.reject(new Refused('gateway_unavailable')) };
  const unavailable = new Refused('gateway_unavailable');
  await expect(create(memberId, 'BTC', once, [away, dollars])).rejects.toThrow(unavailable);
  await expect(create(memberId, 'BTC', once, [dollars])).rejects.toThrow(unavailable);
  expect(await create(memberId, 'BTC', once)).toMatchObject({ pay_with: 'BTC', state: 'created' });
});

test('a gateway that is away does not keep deposits of the other waiting', async () => {
  const memberId = await world.addMember();
  await create(memberId, 'BTC');
  const { id } = await create(memberId, 'TRC20');
  await payInSandbox(world.context, { depositId: BigInt(id) }, 'full', { deliver: async () => 200 });
  const away: Gateway = { ...coins, findInvoice: () => Promise.reject(new Refused('gateway_unavailable')) };
  await expect(reconcileDeposits(world.context, [away, dollars])).rejects.toThrow(
    'Deposits that could not be reconciled',
  );
  expect((await world.find(BigInt(id))).state).toBe('credited');
});

test('a payment at a gateway that is no longer configured is credited once it is back; until then the run fails', async () => {
  const memberId = await world.addMember();
  const [gone, other] = [await create(memberId, 'BTC'), await create(memberId, 'TRC20')];
  for (const { id } of [gone, other])
    await payInSandbox(world.context, { depositId: BigInt(id) }, 'full', { deliver: async () => 404 });
  const fault = 'deposits are open at btcpay, which PAYMENTS does not name';
  await expect(reconcileDeposits(world.context, [dollars])).rejects.toThrow(fault);
  expect((await world.find(BigInt(other.id))).state).toBe('credited');
  world.clock.advance(3 * 24 * 3600);
  await expect(reconcileDeposits(world.context, [dollars])).rejects.toThrow(fault);
  await reconcileDeposits(world.context, both);
  expect(await world.find(BigInt(gone.id))).toMatchObject({ state: 'credited', credited_micros: usd(100) });
});

describe('of a gateway that is not configured', () => {
  const leave = async (pay?: 'full') => {
    const { id } = await create(await world.addMember(), 'BTC');
    const deposit = await world.find(BigInt(id));
    if (pay) await payInSandbox(world.context, { depositId: deposit.id }, pay, { deliver: async () => 200 });
    return deposit;
  };
  const reconcile = () => reconcileDeposits(world.context, [dollars]);

  test('open deposits fail the run until a week after they expired, and are then in review', async () => {
    const unpaid = await leave();
    const seen = await leave();
    const { db } = world.context;
    await sql`update funds.deposit set state = 'pending', paid_micros = ${usd(100)} where id = ${seen.id}`.execute(db);
    const bare = await leave();
    await sql`update funds.deposit set invoice_id = null where id = ${bare.id}`.execute(db);
    world.clock.set(new Date((await world.find(unpaid.id)).expires_at.getTime() + WEEK_MS - 1));
    await expect(reconcile()).rejects.toThrow('deposits are open at btcpay, which PAYMENTS does not name');
    expect((await world.find(unpaid.id)).state).toBe('created');
    world.clock.advance(1);
    expect(await reconcile()).toMatchObject({ changed: 3 });
    expect(await reconcile()).toMatchObject({ changed: 0 });
    expect((await world.find(bare.id)).state).toBe('failed');
    for (const { id, member_id } of [unpaid, seen]) {
      expect(await world.find(id)).toMatchObject({ state: 'review', booked_micros: 0n });
      expect(await world.primary(member_id)).toBe(0n);
    }
    expect(await world.messages(unpaid.member_id)).toEqual([]);
    expect(await world.messages(seen.member_id)).toEqual([expect.stringContaining('no longer in use')]);
  });

  test('what turns out to be paid once it is configured again is held for an operator', async () => {
    const { id, member_id } = await leave('full');
    const { expires_at } = await world.find(id);
    world.clock.set(new Date(expires_at.getTime() + WEEK_MS));
    expect(await reconcile()).toMatchObject({ changed: 1 });
    expect(await followDeposit(world.context, coins, id)).toBe(true);
    expect(await world.find(id)).toMatchObject({ state: 'review', booked_micros: usd(100) });
    expect(await world.primary(member_id)).toBe(0n);
  });

  test('they are in review a week later also while another gateway fails', async () => {
    const left = await leave();
    world.clock.set(new Date(left.expires_at.getTime() + WEEK_MS));
    await create(await world.addMember(), 'TRC20');
    const away: Gateway = { ...dollars, findInvoice: () => Promise.reject(new Refused('gateway_unavailable')) };
    await expect(reconcileDeposits(world.context, [away])).rejects.toThrow('Deposits that could not be reconciled');
    expect(await world.find(left.id)).toMatchObject({ state: 'review' });
  });
});
