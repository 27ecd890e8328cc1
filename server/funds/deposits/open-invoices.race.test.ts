import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/close-after-all.ts';
import { openFundsWorld } from '../funds-world.test-setup.ts';
import { createDeposit } from './create-deposit.ts';
import { listDeposits } from './list-deposits.ts';

const ROUNDS = 5;
const world = closeAfterAll(await openFundsWorld());

test('of ten deposits at once five are started', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const memberId = await world.addMember();
    const ends = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        createDeposit(world.context, memberId, { amount: 100 }, undefined, [world.gateway]),
      ),
    );
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
    expect(refused).toEqual(Array(5).fill('too_many_open_deposits'));
    expect((await listDeposits(world.context, memberId, { limit: 25 })).items).toHaveLength(5);
  }
});
