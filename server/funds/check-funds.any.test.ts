import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { checkFunds } from './check-funds.ts';
import { usd } from './funds-world.test-setup.ts';
import { payInSandbox } from './gateways/sandbox/pay-in-sandbox.ts';
import { openWithdrawalsWorld } from './withdrawals/withdrawals-world.test-setup.ts';

const world = closeAfterAll(await openWithdrawalsWorld());

const found = async () =>
  (await checkFunds(world.context.db)).map(({ kind, subject, message }) => {
    expect(kind).toBe('ledger');
    return `${subject}: ${message}`;
  });
/** Discrepancies after a direct change of the database, which is rolled back. */
async function foundAfter(change: ReturnType<typeof sql>, undo: ReturnType<typeof sql>) {
  await change.execute(world.context.db);
  const findings = await found();
  await undo.execute(world.context.db);
  expect(await found()).toEqual([]);
  return findings;
}

test('books with a withdrawal in every state, of both wallets, and a credited deposit hold', async () => {
  const person = await world.addPerson(5000);
  await world.giveProfit(person, 1000);
  const make = async (amount: number) => (await world.withdraw(person, { amount })).id;
  const byHand = { payoutWay: 'hand', handlerId: 1n } as const;
  await make(100);
  await world.move(await make(101), 'cancelled');
  await world.move(await make(102), 'rejected', undefined, 'No');
  for (const last of ['approved', 'sent', 'uncertain', 'completed', 'failed'] as const) {
    const { id } = await world.withdraw(person, { amount: 110, wallet_type: 'profit' });
    await world.move(id, 'approved');
    if (last !== 'approved') await world.move(id, last === 'uncertain' ? 'uncertain' : 'sent', byHand);
    if (last === 'completed' || last === 'failed')
      await world.move(id, last, undefined, last === 'failed' ? 'It came back' : undefined);
  }
  const deposit = await world.addDeposit(50, person.memberId);
  await payInSandbox(world.context, { depositId: deposit.id }, 'full');
  expect((await world.find(deposit.id)).state).toBe('credited');
  expect(await world.findings()).toEqual([]);
  expect(await world.balances(person)).toMatchObject({
    primary: usd(4950),
    profit: usd(1000 - 4 * 110),
    withdrawal_hold: usd(100 + 3 * 110),
  });
});

test('a state written without its transfers is found in the hold, the transfers, the daily sum and the steps', async () => {
  const person = await world.addPerson(500);
  const { id, reference } = await world.withdraw(person, { amount: 100 });
  const day = world.clock.now().toISOString().slice(0, 10);
  expect(
    await foundAfter(
      sql`update funds.withdrawal set state = 'cancelled' where id = ${id}`,
      sql`update funds.withdrawal set state = 'requested' where id = ${id}`,
    ),
  ).toEqual([
    `withdrawal_hold of member ${person.memberId}: holds 100000000, but withdrawals under way are 0`,
    `transfer withdrawal/${id}/release: is missing, or is not what its withdrawal says: 100000000 for withdrawal_release`,
    `day ${day} of member ${person.memberId}: counts 100000000, but its withdrawals are 0`,
    `withdrawal ${reference}: is cancelled, but its last step says requested`,
  ]);
});

test('another amount, fee or owner than the transfers say is found', async () => {
  const person = await world.addPerson(500);
  const other = await world.addPerson(500);
  const { id } = await world.withdraw(person, { amount: 100 });
  await world.move(id, 'approved');
  await world.move(id, 'sent', { payoutWay: 'hand', handlerId: 1n });
  await world.move(id, 'completed');
  expect(
    await foundAfter(
      sql`update funds.withdrawal set fee_micros = 0 where id = ${id}`,
      sql`update funds.withdrawal set fee_micros = 1000000 where id = ${id}`,
    ),
  ).toEqual([
    `transfer withdrawal/${id}/fee: of 1000000 for withdrawal_fee belongs to no withdrawal in its state`,
    `transfer withdrawal/${id}/payout: is missing, or is not what its withdrawal says: 100000000 for withdrawal_payout`,
    `transfer withdrawal/${id}/payout: of 99000000 for withdrawal_payout belongs to no withdrawal in its state`,
  ]);
  const stolen = await foundAfter(
    sql`update funds.withdrawal set member_id = ${other.memberId} where id = ${id}`,
    sql`update funds.withdrawal set member_id = ${person.memberId} where id = ${id}`,
  );
  expect(stolen.filter((line) => line.startsWith(`transfer withdrawal/${id}/`))).toHaveLength(6);
});

test('another address than the member asked for is found', async () => {
  const { id, reference, address } = await world.withdraw(await world.addPerson(500), { amount: 100 });
  expect(
    await foundAfter(
      sql`update funds.withdrawal set address = 'TUYhLXHqwE1JMdyDaMCuh4cRDmoTyREzW4' where id = ${id}`,
      sql`update funds.withdrawal set address = ${address} where id = ${id}`,
    ),
  ).toEqual([`withdrawal ${reference}: has another address or amount than was requested`]);
});

test('money that left without an approval, and a day that counts too little, are found', async () => {
  const person = await world.addPerson(500);
  const { id, reference } = await world.withdraw(person, { amount: 100 });
  expect(
    await foundAfter(
      sql`with moved as (update funds.withdrawal set state = 'approved' where id = ${id} returning id)
        insert into funds.withdrawal_step (withdrawal_id, state, occurred_at) select id, 'approved', now() from moved`,
      sql`with moved as (update funds.withdrawal set state = 'requested' where id = ${id} returning id)
        insert into funds.withdrawal_step (withdrawal_id, state, occurred_at) select id, 'requested', now() from moved`,
    ),
  ).toEqual([`withdrawal ${reference}: is approved without an approval`]);
  const day = world.clock.now().toISOString().slice(0, 10);
  expect(
    await foundAfter(
      sql`update funds.withdrawal_day set live_micros = 0 where member_id = ${person.memberId}`,
      sql`update funds.withdrawal_day set live_micros = 100000000 where member_id = ${person.memberId}`,
    ),
  ).toEqual([`day ${day} of member ${person.memberId}: counts 0, but its withdrawals are 100000000`]);
});

test('a deposit that says another amount than arrived is found', async () => {
  const deposit = await world.addDeposit(100);
  expect(
    await foundAfter(
      sql`update funds.deposit set booked_micros = 100000000, credited_micros = 100000000 where id = ${deposit.id}`,
      sql`update funds.deposit set booked_micros = 0, credited_micros = null where id = ${deposit.id}`,
    ),
  ).toEqual([
    `deposit ${deposit.reference}: says booked 100000000, credited 100000000, refunded 0, but its transfers are 0, 0, 0`,
  ]);
});
