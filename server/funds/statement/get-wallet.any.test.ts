import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post } from '#server/ledger/index.ts';
import { type FundsWorld, marketAt, openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { payInSandbox } from '../gateways/sandbox/pay-in-sandbox.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { admitWithdrawal, holdWithdrawal } from '../withdrawals/request-withdrawal.ts';
import { saveAddress } from '../withdrawals/save-address.ts';
import { getWallet } from './get-wallet.ts';

const DAY_SECONDS = 24 * 3600;
const address = { network: 'TRC20', address: 'TUYhLXHqwE1JMdyDaMCuh4cRDmoTyREzW4' } as const;

let world: FundsWorld;
beforeAll(async () => {
  world = await openFundsWorld();
});
afterAll(() => world.database.close());

const wallet = (memberId: bigint) => getWallet(world.context, memberId);
const save = (memberId: bigint) =>
  inTransaction(world.context.db, (tx) => saveAddress(tx, world.context, { memberId, ...address }));
const withdraw = (memberId: bigint, dollars: number, from: 'primary' | 'profit' = 'primary') =>
  inTransaction(world.context.db, async (tx) => {
    const order = { memberId, amountMicros: usd(dollars), wallet: from };
    const row = await admitWithdrawal(tx, world.context, order);
    await holdWithdrawal(tx, world.context, row);
    return row;
  });

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

test('a deposit is on its way while it can be credited: as asked, and in review with what is held of it', async () => {
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

test('what is held for withdrawals is of the wallet it was taken from, until it goes back', async () => {
  const memberId = await world.addMember();
  await payInSandbox(world.context, { depositId: (await world.addDeposit(1000, memberId)).id }, 'full');
  await inTransaction(world.context.db, (tx) =>
    post(tx, [
      {
        key: `test/${memberId}`,
        from: { class: 'adjustments' },
        to: { memberId, class: 'profit' },
        amountMicros: usd(80),
        reason: 'correction',
        reference: 'test',
        marketAt,
      },
    ]),
  );
  await save(memberId);
  world.clock.advance(DAY_SECONDS);
  await withdraw(memberId, 300);
  const second = await withdraw(memberId, 50);
  await withdraw(memberId, 20, 'profit');
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
  const memberId = await world.addMember();
  await save(memberId);
  const usableFrom = new Date(world.context.now().getTime() + DAY_SECONDS * 1000).toISOString();
  expect((await wallet(memberId)).address).toEqual({ ...address, usable_from: usableFrom });
});
