import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { firstFeePlan } from '#contract/fee-plan.ts';
import { withdrawalStates } from '#contract/funds/withdrawals.ts';
import type { Context } from '#server/context.ts';
import { listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { getHouseBalances } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { writeFeePlan } from '#test/worlds/fee-plans.ts';
import { makeConfirmedAdmin } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { insertApproval } from '../review/approvals.ts';
import { freezeWithdrawals } from './freeze-withdrawals.ts';
import { moveWithdrawal } from './move-withdrawal.ts';
import { refuseUnlessPayable } from './payout-guard.ts';
import { getWithdrawal, lockWithdrawal, updatePayout, type WithdrawalRow } from './withdrawal.ts';
import { openWithdrawalsWorld, refused } from './withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
afterAll(async () => {
  expect(await world.findings()).toEqual([]);
});

const operator = { kind: 'operator', id: 1n } as const;
const byHand = { payoutWay: 'hand', handlerId: 1n } as const;
const auditOf = async ({ id }: WithdrawalRow) => {
  const rows = await listRows(world.context.db)<{
    action: string;
    before: { state: string } | null;
    after: { state?: string };
  }>`
    select action, before, after from audit.entry where subject = ${`withdrawal:${id}`} order by id`;
  return rows.map(({ action, before, after }) => [action, before?.state ?? null, after.state ?? null]);
};

describe('a move', () => {
  test('to completed pays the net out and keeps the fee; every move is a step, a version, an audit entry and a message', async () => {
    const person = await world.addPerson(500);
    const before = await getHouseBalances(world.context.db);
    const row = await world.withdraw(person, { amount: 200.5 });
    await world.move(row.id, 'approved');
    await world.move(row.id, 'sent', { ...byHand, transaction: 'a1b2c3d4' });
    const done = await world.move(row.id, 'completed');
    expect(done).toMatchObject({ state: 'completed', version: 4, transaction: 'a1b2c3d4', handler_id: 1n });
    expect(await world.balances(person)).toMatchObject({ primary: usd(299.5), withdrawal_hold: 0n });
    const after = await getHouseBalances(world.context.db);
    expect(after.gateway - before.gateway).toBe(usd(198.495));
    expect(after.withdrawal_fees - before.withdrawal_fees).toBe(usd(2.005));
    const { steps } = await getWithdrawal(world.context, person.memberId, row.id);
    expect(steps.map(({ state }) => state)).toEqual(['requested', 'approved', 'sent', 'completed']);
    expect(await auditOf(row)).toEqual([
      ['withdrawal.requested', null, null],
      ['withdrawal.approved', 'requested', 'approved'],
      ['withdrawal.sent', 'approved', 'sent'],
      ['withdrawal.completed', 'sent', 'completed'],
    ]);
    expect((await world.messages(person)).slice(-3)).toEqual([
      `Your withdrawal ${row.reference} of $200.50 was approved and will be paid out.`,
      `Your withdrawal ${row.reference} was sent: $198.495 to your TRC20 address.`,
      `Your withdrawal ${row.reference} is complete: $198.495 was paid out to your TRC20 address.`,
    ]);
  });

  test('to completed pays out all of one that was requested while withdrawals cost nothing', async () => {
    const person = await world.addPerson(500);
    await writeFeePlan(world.context, { ...firstFeePlan, withdrawal_fee_bps: 0, withdrawal_fee_min: 0 });
    const { id } = await world.withdraw(person, { amount: 100 });
    await writeFeePlan(world.context, firstFeePlan);
    const before = await getHouseBalances(world.context.db);
    await world.move(id, 'approved');
    await world.move(id, 'sent', { ...byHand, transaction: 'a1b2c3d4' });
    await world.move(id, 'completed');
    expect((await getHouseBalances(world.context.db)).gateway - before.gateway).toBe(usd(100));
    expect(await world.balances(person)).toMatchObject({ primary: usd(400), withdrawal_hold: 0n });
  });

  test.each(['rejected', 'failed'] as const)('to %s returns the whole amount and states the reason', async (end) => {
    const person = await world.addPerson(500);
    await world.giveProfit(person, 100);
    const row = await world.withdraw(person, { amount: 100, wallet_type: 'profit' });
    if (end === 'failed') {
      await world.move(row.id, 'approved');
      await world.move(row.id, 'uncertain', byHand);
    }
    await world.move(row.id, end, undefined, 'The address is closed');
    expect(await world.balances(person)).toMatchObject({ primary: usd(500), profit: usd(100), withdrawal_hold: 0n });
    expect(await getWithdrawal(world.context, person.memberId, row.id)).toMatchObject({
      state: end,
      note: 'The address is closed',
    });
    expect((await world.messages(person)).at(-1)).toContain('Reason: The address is closed.');
  });

  test('that does not exist is refused and changes nothing', async () => {
    const person = await world.addPerson(500);
    const row = await world.withdraw(person, { amount: 100 });
    for (const to of withdrawalStates) {
      if (['approved', 'cancelled', 'rejected'].includes(to)) continue;
      await expect(world.move(row.id, to, byHand, 'x')).rejects.toMatchObject(refused('withdrawal_state'));
    }
    await world.move(row.id, 'cancelled');
    for (const to of withdrawalStates) {
      await expect(world.move(row.id, to, byHand, 'x')).rejects.toMatchObject(refused('withdrawal_state'));
    }
    expect(await world.balances(person)).toMatchObject({ primary: usd(500), withdrawal_hold: 0n });
  });

  test('to rejected is refused once its payment has begun', async () => {
    const person = await world.addPerson(500);
    const { id } = await world.withdraw(person, { amount: 100 });
    const approved = await world.move(id, 'approved');
    const taken = await inTransaction(world.context.db, (tx) =>
      updatePayout(tx, approved, byHand, world.context.now()),
    );
    expect(taken).toMatchObject({ state: 'approved', version: 3, payout_way: 'hand' });
    await expect(world.move(id, 'rejected', undefined, 'No')).rejects.toMatchObject(refused('withdrawal_state'));
  });

  test('of a row that was not locked is a broken invariant', async () => {
    const person = await world.addPerson(500);
    const stale = await world.withdraw(person, { amount: 100 });
    await world.move(stale.id, 'approved');
    const again = inTransaction(world.context.db, (tx) =>
      moveWithdrawal(tx, world.context, { withdrawal: stale, to: 'cancelled', actor: operator }),
    );
    await expect(again).rejects.toThrow('was not locked');
  });
});

describe('approval', () => {
  const approveBy = (id: bigint, operators: number) =>
    inTransaction(world.context.db, async (tx) => {
      const withdrawal = await lockWithdrawal(tx, id);
      if (withdrawal === undefined) throw new Error('no such withdrawal');
      for (const operatorId of world.approvers.slice(0, operators)) {
        await insertApproval(tx, { withdrawalId: id, operatorId, now: world.clock.now() });
      }
      return moveWithdrawal(tx, world.context, { withdrawal, to: 'approved', actor: operator });
    });

  test('without an approval, or with one where the daily sum requires two, cannot be written', async () => {
    const person = await world.addPerson(20_000);
    const small = await world.withdraw(person, { amount: 4999.999999 });
    await expect(approveBy(small.id, 0)).rejects.toThrow('lacks 1 approvals');
    expect(await approveBy(small.id, 1)).toMatchObject({ state: 'approved' });
    const more = await world.withdraw(person, { amount: 10 });
    await expect(approveBy(more.id, 1)).rejects.toThrow('lacks 1 approvals');
    expect(await approveBy(more.id, 2)).toMatchObject({ state: 'approved' });
  });
});

describe('the gate', () => {
  const pass = (withdrawal: WithdrawalRow, context: Context = world.context) =>
    inTransaction(world.context.db, (tx) => refuseUnlessPayable(tx, context, withdrawal));

  test('names the first thing in the way, and the sum of the day when nothing is', async () => {
    const person = await world.addPerson(5000);
    await world.withdraw(person, { amount: 1000 });
    const row = await world.withdraw(person, { amount: 500 });
    const { memberId } = person;
    const { db } = world.context;
    const live: Context = { ...world.context, config: { ...world.context.config, mode: 'live' } };
    expect(await pass(row)).toBe(usd(1500));

    await world.stopPayouts(true);
    await expect(pass(row)).rejects.toMatchObject(refused('payouts_stopped'));
    await expect(pass(row, live)).rejects.toMatchObject(refused('not_verified'));
    const freeze = { memberId, cause: 'operator', actor: operator, why: 'test' } as const;
    await inTransaction(db, (tx) => freezeWithdrawals(tx, world.context, freeze));
    await expect(pass(row, live)).rejects.toMatchObject(refused('withdrawals_frozen'));
    await sql`update identity.member set frozen_at = now() where id = ${memberId}`.execute(db);
    await expect(pass(row, live)).rejects.toMatchObject(refused('account_frozen'));

    await sql`update identity.member set frozen_at = null, verified_at = now() where id = ${memberId}`.execute(db);
    await sql`delete from funds.withdrawal_freeze where member_id = ${memberId}`.execute(db);
    await world.stopPayouts(false);
    for (let confirmed = 0; confirmed < 2; confirmed += 1) {
      await expect(pass(row, live)).rejects.toMatchObject(refused('payouts_unconfirmed'));
      await makeConfirmedAdmin(world.context);
    }
    expect(await pass(row, live)).toBe(usd(1500));
  });

  test('passes what was requested before the address or the password changed', async () => {
    const person = await world.addPerson(5000);
    const row = await world.withdraw(person, { amount: 1000 });
    await sql`update identity.member set security_changed_at = ${world.clock.now()} where id = ${person.memberId}`.execute(
      world.context.db,
    );
    expect(await pass(row)).toBe(usd(1000));
  });
});
