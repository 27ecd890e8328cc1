import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { openWorld } from '../accounts-world.test-setup.ts';
import { findCaller, openMember } from '../index.ts';

const world = closeAfterAll(await openWorld());
const from = { reason: 'a question', userAgent: 'test', address: '127.0.0.1' };

test('of thirty concurrent impersonations by one operator twenty succeed, of many accounts and of one', async () => {
  for (const isOne of [true, false]) {
    const caller = await findCaller(world.context, (await makeOperator(world.context, 'support')).token);
    if (caller?.kind !== 'operator') throw new Error('the operator is signed in');
    const memberIds: bigint[] = [];
    for (let index = 0; index < (isOne ? 1 : 10); index += 1) memberIds.push((await world.signUp()).memberId);
    const { done, refused } = await atOnce(
      times(30, (index) =>
        openMember(world.context, caller, { memberId: memberIds[index % memberIds.length] as bigint, ...from }),
      ),
    );
    expect(done).toHaveLength(20);
    expect(refused).toEqual(Array(10).fill('too_many_openings'));
    expect(await world.count('identity.opening', `operator_id = ${caller.operatorId}`)).toBe(20);
  }
});
