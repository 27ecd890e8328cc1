import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOperatorPasskey } from '#test/worlds/operators.ts';
import { findOperator } from '../../index.ts';
import { disableOperator } from './change-operator.ts';
import { type InvitedFromServer, inviteFromServer } from './invite-from-server.ts';
import { openOperators } from './operator-accounts.test-setup.ts';
import { approveOperatorChange, withdrawOperatorChange } from './operator-change.ts';
import { listOperatorProposals } from './show-operators.ts';

let world: Awaited<ReturnType<typeof openOperators>>;
beforeEach(async () => {
  world = await openOperators();
});
afterEach(() => world.close());

const HOUR = 3600;
const refused = (code: string) => ({ code });

test('an invitation from the server needs one person, notifies all operators and ends pending ones', async () => {
  const [admin, other] = [await world.make('admin'), await world.make('admin')];
  const { id } = await world.invite(admin, 'finance', 'olga@mail.test');
  await approveOperatorChange(world.context, await world.actor(other), id);
  const olga = { name: 'Olga Berg', email: 'Olga@mail.test', role: 'admin' } as const;
  const { url } = (await inviteFromServer(world.context, olga)) as Extract<InvitedFromServer, { url: string }>;
  expect(url).toBe(`https://tradewind.test/operator/invitation#${await world.tokenFor('olga@mail.test')}`);
  expect((await world.subjectsTo(admin)).at(-1)).toBe('invitation sent from the server');
  // Its link was lost.
  expect(await inviteFromServer(world.context, olga)).not.toMatchObject({ url });
  const support = { ...olga, role: 'support' } as const;
  await expect(inviteFromServer(world.context, support)).rejects.toMatchObject(refused('operator_exists'));
  world.clock.advance(24 * HOUR);
  expect(await world.executeDue()).toBe(1);
  const { items } = await listOperatorProposals(world.context, admin.operatorId, { limit: 1, isOpen: false });
  expect(items).toMatchObject([{ state: 'withdrawn', withdrawn_by: null }]);
  const { operatorId } = await world.settle('olga@mail.test');
  expect(await findOperator(world.database.db, operatorId)).toMatchObject({ role: 'admin' });
});

test('an invitation approved before the account was made and disabled does not restore it', async () => {
  const [admin, other] = [await world.make('admin'), await world.make('admin')];
  const email = 'olga@mail.test';
  const { id } = await world.invite(admin, 'finance', email);
  await approveOperatorChange(world.context, await world.actor(other), id);
  await inviteFromServer(world.context, { name: 'Olga Berg', email, role: 'finance' });
  const { operatorId } = await world.settle(email);
  await disableOperator(world.context, await world.actor(admin), { operatorId, why: 'stolen phone' });
  world.clock.advance(24 * HOUR);
  await world.executeDue();
  expect(await world.stateOf(email)).toBe('disabled');
});

test('an invitation approved before its disabled account was invited again does not change it', async () => {
  const [admin, other, finance] = [await world.make('admin'), await world.make('admin'), await world.make('finance')];
  const { email, operatorId } = finance;
  await disableOperator(world.context, await world.actor(admin), { operatorId, why: 'on leave' });
  const { id } = await world.invite(admin, 'finance', email);
  await approveOperatorChange(world.context, await world.actor(other), id);
  await inviteFromServer(world.context, { name: 'Olga Berg', email, role: 'support' });
  await world.settle(email);
  world.clock.advance(24 * HOUR);
  await world.executeDue();
  expect(await findOperator(world.database.db, operatorId)).toMatchObject({ role: 'support' });
  expect(await world.stateOf(email)).toBe('active');
});

describe('an operator who lost passkey and app is reset from the server', () => {
  const begin = async () => {
    const [admin, lost, support] = [
      await world.make('admin'),
      await world.make('finance'),
      await world.make('support'),
    ];
    await addOperatorPasskey(world.context, lost);
    const reset = await inviteFromServer(world.context, { name: 'Anybody', email: lost.email, role: 'finance' });
    return { admin, lost, support, reset };
  };

  test('after 24 hours, and every operator is notified at once', async () => {
    const { admin, lost, support, reset } = await begin();
    expect(await world.count('audit.entry', `action = 'operator.propose' and actor_kind = 'system'`)).toBe(1);
    expect(reset).toEqual({ resetAt: new Date(world.context.now().getTime() + 24 * HOUR * 1000), name: 'Op finance' });
    for (const operator of [admin, lost, support]) {
      expect((await world.subjectsTo(operator)).at(-1)).toBe('reset requested from the server');
    }
    const again = inviteFromServer(world.context, { name: 'x', email: lost.email, role: 'finance' });
    await expect(again).rejects.toMatchObject(refused('proposal_waiting'));
    const { items } = await listOperatorProposals(world.context, admin.operatorId, { limit: 1, isOpen: true });
    expect(items).toMatchObject([{ kind: 'reset', state: 'approved', proposed_by: null, may_approve: false }]);
    world.clock.advance(24 * HOUR - 1);
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf(lost.email)).toBe('active');
    world.clock.advance(1);
    expect(await world.executeDue()).toBe(1);
    expect(await world.stateOf(lost.email)).toBe('invited');
    expect(await world.count('identity.passkey')).toBe(0);
    expect((await world.listActions(`operator:${lost.operatorId}`)).at(-1)).toBe('operator.reset');
    await world.settle(lost.email);
    expect(await world.stateOf(lost.email)).toBe('active');
  });

  test('unless an admin stops it', async () => {
    const { admin, lost } = await begin();
    const { items } = await listOperatorProposals(world.context, admin.operatorId, { limit: 1, isOpen: true });
    await withdrawOperatorChange(world.context, await world.actor(admin), BigInt(items[0]?.id ?? 0));
    world.clock.advance(24 * HOUR);
    expect(await world.executeDue()).toBe(0);
    expect(await world.stateOf(lost.email)).toBe('active');
    expect((await world.subjectsTo(lost)).at(-1)).toBe('change withdrawn');
  });
});
