import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { changeOperatorRole } from './change-operator.ts';
import { openOperators } from './operator-accounts.test-setup.ts';

const world = closeAfterAll(await openOperators());

test('an operator with a second factor who is raised to admin counts as the second one at once', async () => {
  const [admin, { operatorId }] = [await world.make('admin'), await world.make('finance')];
  const raise = { operatorId, role: 'admin', why: 'second admin' } as const;
  expect(await changeOperatorRole(world.context, await world.actor(admin), raise)).toMatchObject({ state: 'posted' });
  expect(await world.invite(admin, 'finance')).toMatchObject({ needsApproval: true });
});
