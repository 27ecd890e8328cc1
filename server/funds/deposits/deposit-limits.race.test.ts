import { expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import type { Once } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { openFundsWorld, usd } from '../funds-world.test-setup.ts';
import { createDeposit } from './create-deposit.ts';
import { listDeposits } from './list-deposits.ts';

const ROUNDS = 5;
const world = closeAfterAll(await openFundsWorld());

const addLimited = async (dollars: number) => {
  const memberId = await world.addMember();
  await setOwnLimits(world.context, { memberId }, { depositWeekMicros: usd(dollars), address: '192.0.2.7' });
  return memberId;
};
const create = (memberId: bigint, amount: number, claim?: Once) =>
  createDeposit(world.context, memberId, { amount }, claim, [world.gateway]);

test.each([
  ['five open invoices', 5, 'too_many_open_deposits', () => world.addMember()],
  ['a limit of one’s own', 3, 'own_deposit_limit', () => addLimited(350)],
] as const)('of twenty deposits at once as many are started as %s leave room for', async (_, room, code, addOne) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await addOne();
    const { refused } = await atOnce(times(20, () => create(memberId, 100)));
    expect(refused).toEqual(Array(20 - room).fill(code));
    expect((await listDeposits(world.context, memberId, { limit: 25 })).items).toHaveLength(room);
  }
});

test('one request sent five times at once is one deposit, though the limit has room for no second one', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await addLimited(100);
    const claim: Once = { callerId: memberId, call: 'POST /secure/create', key: `five-${memberId}`, bodyHash: 'h' };
    const { refused } = await atOnce(times(5, () => create(memberId, 100, claim)));
    expect(refused.filter((code) => code !== 'idempotency_running')).toEqual([]);
    expect((await listDeposits(world.context, memberId, { limit: 25 })).items).toHaveLength(1);
    expect((await create(memberId, 100, claim)).amount).toBe(100);
  }
});
