import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { usd } from '../funds-world.test-setup.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { openWithdrawalsWorld, TRON } from '../withdrawals/withdrawals-world.test-setup.ts';
import { getWallet } from './get-wallet.ts';

const world = closeAfterAll(await openWithdrawalsWorld());
const wallet = (memberId: bigint) => getWallet(world.context, memberId);

test('a new member has nothing anywhere, and no address', async () => {
  const none = { balance: 0, held: 0, in_trade: 0 };
  const nothing = { count: 0, amount: 0 };
  expect(await wallet(await world.addMember())).toEqual({
    primary: none,
    profit: none,
    arriving: nothing,
    leaving: nothing,
    address: null,
    last_movements: [],
  });
});

test('a deposit is pending while it can be credited: with the requested amount, or in review with the held amount', async () => {
  const memberId = await world.addMember();
  const arriving = async () => (await wallet(memberId)).arriving;
  const first = await world.addDeposit(100, memberId);
  const second = await world.addDeposit(200, memberId);
  expect(await arriving()).toEqual({ count: 2, amount: 300 });
  await payInSandbox(world.context, { depositId: first.id }, 'full');
  expect(await arriving()).toEqual({ count: 1, amount: 200 });
  await payInSandbox(world.context, { depositId: second.id }, 'less', { amountMicros: usd(150) });
  expect(await arriving()).toEqual({ count: 1, amount: 200 });
  await payInSandbox(world.context, { depositId: second.id }, 'expire');
  expect((await world.find(second.id)).state).toBe('review');
  expect(await arriving()).toEqual({ count: 1, amount: 150 });
  const third = await world.addDeposit(50, memberId);
  await payInSandbox(world.context, { depositId: third.id }, 'expire');
  expect(await arriving()).toEqual({ count: 1, amount: 150 });
});

test('the hold for withdrawals belongs to the wallet it came from, until it is released', async () => {
  const person = await world.addPerson(1000);
  const { memberId } = person;
  await world.giveProfit(person, 80);
  await world.withdraw(person, { amount: 300 });
  const second = await world.withdraw(person, { amount: 50 });
  await world.withdraw(person, { amount: 20, wallet_type: 'profit' });
  expect(await wallet(memberId)).toMatchObject({
    primary: { balance: 650, held: 350 },
    profit: { balance: 60, held: 20 },
    leaving: { count: 3, amount: 370 },
  });
  await cancelWithdrawal(world.context, memberId, second.id);
  const { last_movements: movements, ...after } = await wallet(memberId);
  expect(after).toMatchObject({
    primary: { balance: 700, held: 300 },
    leaving: { count: 2, amount: 320 },
  });
  expect(movements[0]).toMatchObject({ kind: 'withdrawal_release', wallet: 'primary', amount: 50 });
  expect(movements.every((line) => line.wallet !== 'withdrawal_hold')).toBe(true);
});

test('the address is the one in force, with the moment from which it can be used', async () => {
  const { memberId } = await world.addPerson(0);
  const usableFrom = new Date(world.clock.now().getTime() - 1000).toISOString();
  expect((await wallet(memberId)).address).toEqual({ network: 'TRC20', address: TRON, usable_from: usableFrom });
});
