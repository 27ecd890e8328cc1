import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { findValue } from '#server/db/rows.ts';
import type { Once } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { freeze } from '#test/worlds/members.ts';
import { openFundsWorld } from '../funds-world.test-setup.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { createDeposit } from './create-deposit.ts';
import { listDeposits } from './list-deposits.ts';
import { getDeposit } from './show-deposit.ts';
import { hasAcceptedRisk } from './sql.ts';

let keys = 0;

const world = closeAfterAll(await openFundsWorld());

const once = (memberId: bigint, bodyHash = 'h'): Once => {
  keys += 1;
  return { callerId: memberId, call: 'POST /secure/create', key: `key-${keys}`, bodyHash };
};
const create = (memberId: bigint, amount: number, claim?: Once, gateway = world.gateway) =>
  createDeposit(world.context, memberId, { amount }, claim, [gateway]);
const countDeposits = (memberId: bigint) =>
  findValue(world.context.db)<bigint>`select count(*) from funds.deposit where member_id = ${memberId}`;
const countInvoices = () => findValue(world.context.db)<bigint>`select count(*) from funds.invoice`;

describe('starting a deposit', () => {
  test('gives an invoice that lives an hour and a page to pay on', async () => {
    const memberId = await world.addMember();
    const deposit = await create(memberId, 1000);
    expect(deposit).toMatchObject({
      state: 'created',
      amount: 1000,
      credited: null,
      currency: 'USDT',
      transaction: null,
    });
    expect(deposit.reference).toMatch(/^DP-[A-HJ-KM-NP-TV-Z2-9]{6}$/);
    expect(deposit.pay_url).toMatch(/^\/sandbox\/pay\/[A-Za-z0-9_-]{43}$/);
    expect(deposit.expires_at).toBe('2026-03-04T13:00:00.000Z');
    expect(await getDeposit(world.context, memberId, BigInt(deposit.id))).toEqual(deposit);
    expect(await world.primary(memberId)).toBe(0n);
  });

  test('with a public address the page has it', async () => {
    const { config } = world.context;
    const context: Context = { ...world.context, config: { ...config, publicUrl: 'https://tradewind.example' } };
    const deposit = await createDeposit(context, await world.addMember(), { amount: 10 }, undefined);
    expect(deposit.pay_url).toMatch(/^https:\/\/tradewind\.example\/sandbox\/pay\//);
  });

  test('from $10 to $50,000, and nothing is left of another amount', async () => {
    const memberId = await world.addMember();
    for (const amount of [0, 9.999999, 50_000.01])
      await expect(create(memberId, amount)).rejects.toThrow(new Refused('deposit_out_of_limits'));
    expect(await countDeposits(memberId)).toBe(0n);
    for (const amount of [10, 50_000]) expect((await create(memberId, amount)).amount).toBe(amount);
  });

  test('a frozen member starts none', async () => {
    const memberId = await world.addMember();
    await freeze(world.context, memberId);
    await expect(create(memberId, 100)).rejects.toThrow(new Refused('account_frozen'));
  });
});

describe('the risk disclosure', () => {
  const live = (): Context => ({ ...world.context, config: { ...world.context.config, mode: 'live' } });

  test('in paper mode is recorded when ticked, not demanded', async () => {
    const memberId = await world.addMember();
    await create(memberId, 100);
    expect((await listDeposits(world.context, memberId, { limit: 25 })).risk_accepted).toBe(false);
    await createDeposit(world.context, memberId, { amount: 100, risk_accepted: true }, undefined);
    expect((await listDeposits(world.context, memberId, { limit: 25 })).risk_accepted).toBe(true);
  });

  test('in live mode is demanded until it was ticked once', async () => {
    const memberId = await world.addMember();
    const ask = (risk_accepted?: boolean) => createDeposit(live(), memberId, { amount: 100, risk_accepted }, undefined);
    await expect(ask()).rejects.toThrow(new Refused('risk_not_accepted'));
    await expect(ask(false)).rejects.toThrow(new Refused('risk_not_accepted'));
    expect(await hasAcceptedRisk(world.context.db, memberId)).toBe(false);
    expect((await ask(true)).state).toBe('created');
    expect((await ask()).state).toBe('created');
  });
});

describe('the same request again', () => {
  test('after the gateway did not answer, continues the same deposit', async () => {
    const memberId = await world.addMember();
    const claim = once(memberId, 'a');
    const silent: Gateway = {
      ...world.gateway,
      createInvoice: () => Promise.reject(new Refused('gateway_unavailable')),
    };
    await expect(create(memberId, 100, claim, silent)).rejects.toThrow(new Refused('gateway_unavailable'));
    expect((await listDeposits(world.context, memberId, { limit: 25 })).items).toMatchObject([
      { state: 'created', pay_url: null },
    ]);
    await expect(create(memberId, 100, { ...claim, bodyHash: 'b' })).rejects.toThrow(
      new Refused('idempotency_mismatch'),
    );
    const deposit = await create(memberId, 100, claim);
    expect(deposit.pay_url).not.toBeNull();
    expect(await countDeposits(memberId)).toBe(1n);
  });

  test('an invoice made twice for one deposit is tied once, and the first stays', async () => {
    const memberId = await world.addMember();
    const claim = once(memberId);
    const before = await countInvoices();
    const twice: Gateway = {
      ...world.gateway,
      createInvoice: async (order) => {
        // Another request with the same key finishes first, during this one's call to the gateway.
        await create(memberId, 100, claim);
        return world.gateway.createInvoice(order);
      },
    };
    const deposit = await create(memberId, 100, claim, twice);
    expect(await countInvoices()).toBe((before as bigint) + 2n);
    expect(await countDeposits(memberId)).toBe(1n);
    expect(deposit).toEqual(await create(memberId, 100, claim));
    // Paid on the page that both requests were given, and followed there.
    expect(await getDeposit(world.context, memberId, BigInt(deposit.id))).toEqual(deposit);
  });
});

describe('open invoices', () => {
  const full = new Refused('too_many_open_deposits');
  const addFull = async () => {
    const memberId = await world.addMember();
    const made = [];
    for (let place = 0; place < 5; place += 1) made.push(await create(memberId, 100));
    return { memberId, made };
  };
  const force = (id: string | undefined, state: string) =>
    sql`
      update funds.deposit set state = ${state}, booked_micros = 1, credited_micros = ${state === 'credited' ? 1 : null}
      where id = ${id}`.execute(world.context.db);

  test('are five at most; another member is not concerned, and the same key still answers', async () => {
    const { memberId } = await addFull();
    await expect(create(memberId, 100)).rejects.toMatchObject({ code: full.code, status: 409 });
    expect(await countDeposits(memberId)).toBe(5n);
    await create(await world.addMember(), 100);
    const other = await world.addMember();
    const claim = once(other);
    const first = await create(other, 100, claim);
    for (let place = 1; place < 5; place += 1) await create(other, 100);
    expect(await create(other, 100, claim)).toEqual(first);
  });

  test.each(['pending', 'credited', 'expired', 'review', 'refunded', 'rejected', 'failed'])(
    'one that is %s frees its place',
    async (state) => {
      const { memberId, made } = await addFull();
      await force(made[2]?.id, state);
      await create(memberId, 100);
      await expect(create(memberId, 100)).rejects.toThrow(full);
    },
  );

  test('one that is paid in part keeps its place, until its hour is over', async () => {
    const { memberId, made } = await addFull();
    await force(made[0]?.id, 'underpaid');
    await expect(create(memberId, 100)).rejects.toThrow(full);
    world.clock.advance(3600);
    await create(memberId, 100);
  });
});

describe('own deposits', () => {
  test('newest first, page by page, by state', async () => {
    const memberId = await world.addMember();
    const made = [];
    for (const amount of [10, 20, 30]) made.push(await create(memberId, amount));
    await create(await world.addMember(), 40);
    const first = await listDeposits(world.context, memberId, { limit: 2 });
    expect(first.items).toEqual([made[2], made[1]]);
    const second = await listDeposits(world.context, memberId, { limit: 2, cursor: first.next_cursor as string });
    expect(second.items).toEqual([made[0]]);
    expect(second.next_cursor).toBeNull();
    expect((await listDeposits(world.context, memberId, { limit: 25, state: 'credited' })).items).toEqual([]);
    expect((await listDeposits(world.context, memberId, { limit: 25, state: 'created' })).items).toHaveLength(3);
  });
});
