import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { DepositState } from '#contract/funds/deposits.ts';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { findValue, listRows } from '#server/db/rows.ts';
import type { Once } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { createDeposit, findOwnWeek } from './create-deposit.ts';

const noon = new Date('2026-03-04T12:00:00Z');
const day = 24 * 3600;
const overLimit = new Refused('own_deposit_limit');

const world = closeAfterAll(await openFundsWorld());
beforeEach(() => world.clock.set(noon));

const create = (memberId: bigint, amount: number, claim?: Once) =>
  createDeposit(world.context, memberId, { amount }, claim, [world.gateway]);
const address = '192.0.2.7';
/** A member with a weekly deposit limit in dollars. */
const addLimited = async (dollars: number) => {
  const memberId = await world.addMember();
  await setOwnLimits(world.context, { memberId }, { depositWeekMicros: usd(dollars), address });
  return memberId;
};
const countDeposits = (memberId: bigint) => findValue(world.context.db)<number>`
    select count(*)::int as count from funds.deposit where member_id = ${memberId}`;

test('the member is shown the limit and what is used of it, as the next deposit is measured', async () => {
  expect(await findOwnWeek(world.context, await world.addMember())).toBeNull();
  const memberId = await addLimited(500);
  await create(memberId, 300);
  expect(await findOwnWeek(world.context, memberId)).toEqual({ limit: 500, used: 300 });
  world.clock.advance(7 * day);
  expect(await findOwnWeek(world.context, memberId)).toEqual({ limit: 500, used: 0 });
});

test('a credited deposit counts for seven days from its start, to the second', async () => {
  const memberId = await addLimited(500);
  const deposit = await world.addDeposit(500, memberId);
  await payInSandbox(world.context, { depositId: deposit.id }, 'full');
  expect((await world.find(deposit.id)).state).toBe('credited');
  world.clock.advance(7 * day - 1);
  await expect(create(memberId, 10)).rejects.toThrow(overLimit);
  world.clock.advance(1);
  expect((await create(memberId, 500)).state).toBe('created');
});

/** How much of the limit a deposit of 100 dollars uses in each state. */
test.each<[DepositState, { booked: number; credited: number | null }, number]>([
  ['created', { booked: 0, credited: null }, 100],
  ['pending', { booked: 0, credited: null }, 100],
  ['underpaid', { booked: 0, credited: null }, 100],
  ['pending', { booked: 130, credited: null }, 130],
  ['credited', { booked: 100, credited: 100 }, 100],
  ['credited', { booked: 130, credited: 130 }, 130],
  ['review', { booked: 40, credited: null }, 40],
  ['review', { booked: 200, credited: 100 }, 200],
  ['expired', { booked: 0, credited: null }, 0],
  ['failed', { booked: 0, credited: null }, 0],
  ['rejected', { booked: 40, credited: null }, 0],
  ['refunded', { booked: 40, credited: null }, 0],
  ['refunded', { booked: 200, credited: 100 }, 100],
])('%s with %j takes %i of the limit', async (state, { booked, credited }, used) => {
  const memberId = await addLimited(1000);
  const { id } = await world.addDeposit(100, memberId);
  await sql`
    update funds.deposit set state = ${state}, booked_micros = ${usd(booked)},
                             credited_micros = ${credited === null ? null : usd(credited)}
    where id = ${id}`.execute(world.context.db);
  await expect(create(memberId, 1000.01 - used)).rejects.toThrow(overLimit);
  expect((await create(memberId, 1000 - used)).state).toBe('created');
});

test('deposits of others take nothing of it', async () => {
  const memberId = await addLimited(100);
  await create(await world.addMember(), 5000);
  expect((await create(memberId, 100)).state).toBe('created');
});

test('what was refused leaves nothing, not even the tick under the risk disclosure', async () => {
  const memberId = await addLimited(100);
  await expect(
    createDeposit(world.context, memberId, { amount: 101, risk_accepted: true }, undefined, [world.gateway]),
  ).rejects.toThrow(overLimit);
  expect(await listRows(world.context.db)`select 1 from funds.risk_acceptance where member_id = ${memberId}`).toEqual(
    [],
  );
  expect(await countDeposits(memberId)).toBe(0);
});

test('a pause stops deposits until its end', async () => {
  const memberId = await world.addMember();
  await setOwnLimits(world.context, { memberId }, { pauseDays: 3, address });
  world.clock.advance(3 * day - 1);
  await expect(create(memberId, 100)).rejects.toThrow(new Refused('own_pause'));
  world.clock.advance(1);
  expect((await create(memberId, 100)).state).toBe('created');
});

test('an invoice from before the pause can still be paid', async () => {
  const memberId = await world.addMember();
  const deposit = await world.addDeposit(100, memberId);
  await setOwnLimits(world.context, { memberId }, { pauseDays: 3, address });
  await payInSandbox(world.context, { depositId: deposit.id }, 'full');
  expect(await world.primary(memberId)).toBe(usd(100));
});
