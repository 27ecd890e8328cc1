import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '#contract/refusals.ts';
import { freezeMember, setVerified } from '#server/accounts/index.ts';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import type { Context } from '#server/context.ts';
import type { Once } from '#server/db/tx.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { usd } from '../funds-world.test-setup.ts';
import { freezeWithdrawals } from './freeze-withdrawals.ts';
import { getWithdrawalTerms } from './list-withdrawals.ts';
import { requestWithdrawal } from './request-withdrawal.ts';
import { sendOtp } from './send-otp.ts';
import { openWithdrawalsWorld, type Person, refused, TRON } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const live: Context = { ...world.context, config: { ...world.context.config, mode: 'live' } };
afterAll(async () => {
  expect(await world.findings()).toEqual([]);
});

const system = { kind: 'system', id: null } as const;
const wrong = '000000';
const ask = (
  person: Person,
  amount: number,
  otp: string,
  { context = world.context, once, fee }: { context?: Context; once?: Once; fee?: number } = {},
) => requestWithdrawal(context, person.memberId, { amount, fee, wallet_type: 'primary', otp }, once);
const otpFor = (person: Person, amount: number, context: Context = world.context) =>
  sendOtp(context, person.memberId, { purpose: 'withdrawal', amount, wallet_type: 'primary' });
const by = ({ memberId }: Person) => ({ memberId, actor: system, why: 'test', now: world.context.now() });
const freezeAccount = (person: Person) => inTransaction(world.context.db, (tx) => freezeMember(tx, by(person)));
const stopWithdrawals = (person: Person) =>
  inTransaction(world.context.db, (tx) => freezeWithdrawals(tx, world.context, { ...by(person), cause: 'operator' }));
const triesLeft = async ({ memberId }: Person) => {
  const { rows } = await sql<{ tries: number }>`
    select tries from identity.otp where member_id = ${memberId} and purpose = 'withdrawal'`.execute(world.context.db);
  return rows.map((row) => 5 - row.tries);
};

describe('a request', () => {
  test('holds the whole amount, fixes fee and address, and is notified by message and email', async () => {
    const person = await world.addPerson(1000);
    const row = await world.withdraw(person, { amount: 123.456789 });
    expect(row).toMatchObject({
      state: 'requested',
      wallet: 'primary',
      amount_micros: usd(123.456789),
      fee_micros: usd(1.234567),
      network: 'TRC20',
      address: TRON,
      requested_on: world.clock.now().toISOString().slice(0, 10),
      version: 1,
      payout_way: null,
    });
    expect(row.reference).toMatch(/^WD-[A-Z2-9]{6}$/);
    expect(await world.balances(person)).toMatchObject({ primary: usd(876.543211), withdrawal_hold: usd(123.456789) });
    expect((await world.messages(person)).at(-1)).toContain(`You requested withdrawal ${row.reference} of $123.4568.`);
    expect((await world.mails(person)).at(-1)).toContain(`Address: ${TRON}`);
  });

  test('is held from the profit wallet when requested from it', async () => {
    const person = await world.addPerson(1000);
    const early = world.freshCode(person, { amount: 50, wallet_type: 'profit' });
    await expect(early).rejects.toMatchObject(refused('insufficient_funds'));
    await world.giveProfit(person, 50);
    const row = await world.withdraw(person, { amount: 50, wallet_type: 'profit' });
    expect(row).toMatchObject({ wallet: 'profit', fee_micros: usd(1) });
    expect(await world.balances(person)).toMatchObject({ primary: usd(1000), profit: 0n, withdrawal_hold: usd(50) });
  });

  test('is not blocked by self-imposed limits and pauses', async () => {
    const person = await world.addPerson(1000);
    const limits = { depositWeekMicros: usd(10), lossDayMicros: usd(10), pauseDays: 90, address: '192.0.2.7' };
    await setOwnLimits(world.context, { memberId: person.memberId }, limits);
    expect(await world.withdraw(person, { amount: 100 })).toMatchObject({ state: 'requested' });
  });

  test('takes no other fee than the one agreed to, also if it is lower, and the code can be used for the new one', async () => {
    const person = await world.addPerson(1000);
    const { fee_bps, fee_minimum } = await getWithdrawalTerms(world.context, person.memberId);
    expect({ fee_bps, fee_minimum }).toEqual({ fee_bps: 100, fee_minimum: 1 });
    const otp = await world.freshCode(person, { amount: 500 });
    for (const fee of [4.999999, 5.000001, 0])
      await expect(ask(person, 500, otp, { fee })).rejects.toMatchObject(refused('withdrawal_fee_changed'));
    expect(await triesLeft(person)).toEqual([5]);
    expect(await world.balances(person)).toMatchObject({ primary: usd(1000), withdrawal_hold: 0n });
    expect(await ask(person, 500, otp, { fee: 5 })).toMatchObject({ state: 'requested', fee: 5, net: 495 });
  });

  test('is still accepted while payouts are stopped, and the terms say so', async () => {
    const person = await world.addPerson(1000);
    await world.stopPayouts(true);
    const terms = await getWithdrawalTerms(world.context, person.memberId);
    expect(terms).toMatchObject({ payouts_stopped: true, bar: null });
    expect(await world.withdraw(person, { amount: 100 })).toMatchObject({ state: 'requested' });
    await world.stopPayouts(false);
  });
});

describe('restrictions are refused in their order, before a code and before an attempt', () => {
  test('frozen account, stopped withdrawals, not verified in live mode, no address, 24 hours', async () => {
    const person = await world.addPerson(0, null);
    const { memberId } = person;
    const expectBar = async (code: RefusalCode, until: string | null = null) => {
      await expect(ask(person, 1, wrong, { context: live })).rejects.toMatchObject(refused(code));
      await expect(otpFor(person, 1, live)).rejects.toMatchObject(refused(code));
      expect((await getWithdrawalTerms(live, memberId)).bar).toEqual({ code, until });
    };
    await expectBar('not_verified');
    await stopWithdrawals(person);
    await expectBar('withdrawals_frozen');
    await freezeAccount(person);
    await expectBar('account_frozen');
    await sql`update identity.member set frozen_at = null where id = ${memberId}`.execute(world.context.db);
    await sql`delete from funds.withdrawal_freeze where member_id = ${memberId}`.execute(world.context.db);
    await inTransaction(world.context.db, (tx) => setVerified(tx, { ...by(person), verified: true }));
    await expectBar('address_missing');
    expect((await getWithdrawalTerms(live, memberId)).address).toBeNull();
    await sql`
      insert into funds.payout_address (member_id, network, address, saved_at)
      values (${memberId}, 'TRC20', ${TRON}, ${world.clock.now()})`.execute(world.context.db);
    await expectBar('withdrawal_waiting', new Date(world.clock.now().getTime() + 86_400_000).toISOString());
    expect(await world.mails(person)).not.toContainEqual(expect.stringContaining('With this code'));
  });

  test('a changed password holds withdrawals up for 24 hours, to the second', async () => {
    const person = await world.addPerson();
    const changedAt = world.clock.now();
    await sql`update identity.member set security_changed_at = ${changedAt} where id = ${person.memberId}`.execute(
      world.context.db,
    );
    const at = (seconds: number) => ({ ...world.context, now: () => new Date(changedAt.getTime() + seconds * 1000) });
    await expect(otpFor(person, 100, at(86_399))).rejects.toMatchObject(refused('withdrawal_waiting'));
    await otpFor(person, 100, at(86_400));
    const otp = await world.code(person);
    await expect(ask(person, 100, otp, { context: at(86_399) })).rejects.toMatchObject(refused('withdrawal_waiting'));
    expect(await ask(person, 100, otp, { context: at(86_400) })).toMatchObject({ state: 'requested' });
  });

  test('limits come before the wallet, the wallet before the code, and the code last', async () => {
    const person = await world.addPerson(500);
    const otp = await world.freshCode(person, { amount: 500 });
    await expect(ask(person, 9.999999, otp)).rejects.toMatchObject(refused('withdrawal_out_of_limits'));
    await expect(ask(person, 10_000.000001, otp)).rejects.toMatchObject(refused('withdrawal_day_limit'));
    await expect(ask(person, 500.000001, otp)).rejects.toMatchObject(refused('insufficient_funds'));
    expect(await triesLeft(person)).toEqual([5]);
    await expect(ask(person, 499, otp)).rejects.toMatchObject(refused('wrong_otp'));
    expect(await triesLeft(person)).toEqual([4]);
    expect(await world.balances(person)).toMatchObject({ primary: usd(500), withdrawal_hold: 0n });
    expect(await ask(person, 500, otp)).toMatchObject({ amount: 500, fee: 5, net: 495 });
  });
});

describe('the code', () => {
  test('is not good for the address that another one has replaced since', async () => {
    const person = await world.addPerson(1000);
    const otp = await world.freshCode(person, { amount: 100 });
    await sql`update funds.payout_address set address = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL' where member_id = ${person.memberId}`.execute(
      world.context.db,
    );
    await expect(ask(person, 100, otp)).rejects.toMatchObject(refused('wrong_otp'));
  });

  test('comes in an email that names amount, wallet, network and address', async () => {
    const person = await world.addPerson(1000);
    const at = (ms: number) => new Date(world.clock.now().getTime() + ms).toISOString();
    expect(await otpFor(person, 250.5)).toEqual({
      sent_to: expect.stringMatching(/^p•+@example\.com$/),
      expires_at: at(600_000),
      resend_at: at(60_000),
      delayed: expect.any(Boolean),
    });
    expect((await world.mails(person)).at(-1)).toContain(
      'confirms a withdrawal of $250.50 from your Primary Wallet to the TRC20 address TR7N Hqje KQxG TCi8 q8ZY 4pL8 otSz gjLj 6t.',
    );
  });
});

describe('the limit of a day', () => {
  test('counts everything but what came back, and is new at midnight UTC', async () => {
    world.clock.set('2026-03-10T23:50:00Z');
    const person = await world.addPerson(30_000);
    const first = await world.withdraw(person, { amount: 6000 });
    const second = await world.withdraw(person, { amount: 3990 });
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(10);
    await expect(otpFor(person, 10.000001)).rejects.toMatchObject(refused('withdrawal_day_limit'));
    await world.move((await world.withdraw(person, { amount: 10 })).id, 'cancelled');

    await world.move(second.id, 'cancelled');
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(4000);
    await world.move(first.id, 'approved');
    await world.move(first.id, 'sent', { payoutWay: 'hand', handlerId: 1n });
    await world.move(first.id, 'completed');
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(4000);

    world.clock.set('2026-03-10T23:58:59Z');
    const otp = await world.freshCode(person, { amount: 4000.000001 }).catch((refusal) => refusal.code);
    expect(otp).toBe('withdrawal_day_limit');
    world.clock.set('2026-03-11T00:00:00Z');
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(10_000);
    const next = await world.withdraw(person, { amount: 10_000 });
    expect(next).toMatchObject({ requested_on: '2026-03-11', fee_micros: usd(100) });
    await world.move(next.id, 'rejected', undefined, 'Not today');
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(10_000);
  });

  test('a withdrawal that fails the day after is subtracted from the day it was requested on', async () => {
    world.clock.set('2026-03-12T23:00:00Z');
    const person = await world.addPerson(30_000);
    const early = await world.withdraw(person, { amount: 10_000 });
    world.clock.set('2026-03-13T01:00:00Z');
    await world.withdraw(person, { amount: 10_000 });
    await world.move(early.id, 'rejected', undefined, 'Not today');
    expect((await getWithdrawalTerms(world.context, person.memberId)).day_left).toBe(0);
  });
});

describe('the same key', () => {
  test('gives the first answer again, before anything is checked and without a try', async () => {
    const person = await world.addPerson(100);
    const otp = await world.freshCode(person, { amount: 100 });
    const once: Once = { callerId: person.memberId, call: 'POST /safe/withdrawal', key: 'key-1', bodyHash: 'h' };
    const first = await ask(person, 100, otp, { once });
    await freezeAccount(person);
    expect(await ask(person, 100, otp, { once })).toEqual(first);
    const changed = ask(person, 100, otp, { once: { ...once, bodyHash: 'other' } });
    await expect(changed).rejects.toMatchObject({ code: 'idempotency_mismatch' });
    expect(await world.balances(person)).toMatchObject({ primary: 0n, withdrawal_hold: usd(100) });
  });
});
