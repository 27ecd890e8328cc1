import { beforeEach, describe, expect, test } from 'vitest';
import { Refused } from '#server/refused.ts';
import { type FundsWorld, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { createDeposit } from './create-deposit.ts';
import { listDeposits } from './list-deposits.ts';
import { reconcileDeposits } from './reconcile-deposits.ts';

let world: FundsWorld;

beforeEach(async () => {
  world = await openFundsWorld();
  return () => world.database.close();
});

/** A webhook that is lost and never retried. */
const lost = async () => 404;
const reconcile = (gateway: Gateway = world.gateway) => reconcileDeposits(world.context, [gateway]);

describe('a lost webhook delays money but never loses it', () => {
  test('paid: credited by the next run, once', async () => {
    const deposit = await world.addDeposit(100);
    await payInSandbox(world.context, { depositId: deposit.id }, 'full', { deliver: lost });
    expect((await world.find(deposit.id)).state).toBe('created');
    expect(await reconcile()).toEqual({ checked: 1, changed: 1 });
    expect(await reconcile()).toEqual({ checked: 0, changed: 0 });
    expect((await world.find(deposit.id)).state).toBe('credited');
    expect(await world.primary(deposit.member_id)).toBe(usd(100));
  });

  test('nothing paid: expired when its hour is over', async () => {
    const deposit = await world.addDeposit(100);
    expect(await reconcile()).toEqual({ checked: 1, changed: 0 });
    world.clock.advance(3600);
    expect(await reconcile()).toEqual({ checked: 1, changed: 1 });
    expect((await world.find(deposit.id)).state).toBe('expired');
  });

  test('late or paid again: found within the day the gateway watches, looked for once an hour', async () => {
    const [late, twice] = [await world.addDeposit(100), await world.addDeposit(200)];
    await payInSandbox(world.context, { depositId: late.id }, 'expire');
    await payInSandbox(world.context, { depositId: twice.id }, 'full');
    await payInSandbox(world.context, { depositId: late.id }, 'again', { deliver: lost });
    await payInSandbox(world.context, { depositId: twice.id }, 'again', { deliver: lost });
    expect(await reconcile()).toEqual({ checked: 0, changed: 0 });
    world.clock.advance(3600);
    expect(await reconcile()).toEqual({ checked: 2, changed: 2 });
    expect(await reconcile()).toEqual({ checked: 0, changed: 0 });
    expect((await world.find(late.id)).state).toBe('review');
    expect((await world.find(twice.id)).state).toBe('review');
    expect(await world.unallocated()).toBe(usd(300));
    world.clock.advance(25 * 3600);
    expect(await reconcile()).toEqual({ checked: 0, changed: 0 });
  });
});

test('one whose invoice the gateway does not know, after its settings changed, lets the run fail and others be credited', async () => {
  const [unknown, paid] = [await world.addDeposit(100), await world.addDeposit(200)];
  for (const { id } of [unknown, paid]) await payInSandbox(world.context, { depositId: id }, 'full', { deliver: lost });
  const findInvoice: Gateway['findInvoice'] = async (id) =>
    id === unknown.invoice_id ? undefined : world.gateway.findInvoice(id);
  const fault = await reconcile({ ...world.gateway, findInvoice }).catch((error: AggregateError) => error.errors[0]);
  expect(fault).toEqual(new Error(`sandbox does not know the invoice of deposit ${unknown.reference}`));
  expect((await world.find(paid.id)).state).toBe('credited');
  await reconcile();
  expect((await world.find(unknown.id)).state).toBe('credited');
});

describe('a deposit left without an invoice', () => {
  const silent = (): Gateway => ({
    ...world.gateway,
    createInvoice: () => Promise.reject(new Refused('gateway_unavailable')),
  });
  const leave = async () => {
    const memberId = await world.addMember();
    await expect(createDeposit(world.context, memberId, { amount: 100 }, undefined, [silent()])).rejects.toMatchObject({
      status: 503,
    });
    return async () => (await listDeposits(world.context, memberId, { limit: 1 })).items[0];
  };

  test('gets one, but not while its request may still be running', async () => {
    const see = await leave();
    expect(await reconcile()).toEqual({ checked: 0, changed: 0 });
    world.clock.advance(60);
    expect(await reconcile()).toEqual({ checked: 1, changed: 1 });
    expect(await see()).toMatchObject({
      state: 'created',
      pay_url: expect.stringContaining('/sandbox/pay/'),
      expires_at: '2026-03-04T13:01:00.000Z',
    });
  });

  test('fails when its hour is over', async () => {
    const see = await leave();
    world.clock.advance(3600);
    expect(await reconcile()).toEqual({ checked: 1, changed: 1 });
    expect(await see()).toMatchObject({ state: 'failed', pay_url: null });
  });

  test('while the gateway is silent, the run fails and others are still looked after', async () => {
    const see = await leave();
    world.clock.advance(60);
    const paid = await world.addDeposit(100);
    await payInSandbox(world.context, { depositId: paid.id }, 'full', { deliver: lost });
    await expect(reconcile(silent())).rejects.toThrow('Deposits that could not be reconciled: 1');
    expect((await world.find(paid.id)).state).toBe('credited');
    expect(await see()).toMatchObject({ state: 'created', pay_url: null });
  });
});

test('more deposits than one chunk are all checked', async () => {
  for (let made = 0; made < 101; made += 1) await world.addDeposit(10);
  expect(await reconcile()).toEqual({ checked: 101, changed: 0 });
});
