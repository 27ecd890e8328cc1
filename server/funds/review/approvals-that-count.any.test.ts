import assert from 'node:assert';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { inviteFromServer, startOperatorTotp } from '#server/accounts/index.ts';
import { changeOperatorRole, disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { acceptInvitation } from '#server/accounts/operators/accounts/invitations.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { actorOf, makeOperator, type TestOperator } from '#test/worlds/operators.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';
import { takeWithdrawal } from './decide-withdrawal.ts';
import { openOfficeWorld, watched } from './review-world.test-setup.ts';
import { getOperatorWithdrawal } from './show-withdrawals.ts';

/** A new operator for each test, whose approvals stop counting. */
let thief: TestOperator;

const world = closeAfterAll(await openOfficeWorld());
const admin = await makeOperator(world.context, 'admin');
beforeEach(async () => {
  await payWithdrawals(world.context, [world.gateway]);
  world.clock.advance(24 * 3600);
  thief = await makeOperator(world.context, 'finance');
});

const approve = async (id: bigint, operator: TestOperator) =>
  approveWithdrawal(world.context, actorOf(operator), await world.seen(id, operator));
const decision = async () => ({ operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' });
const disable = async ({ operatorId }: TestOperator) =>
  disableOperator(world.context, await decision(), { operatorId, why: 'stolen phone' });
const lower = async ({ operatorId }: TestOperator) =>
  changeOperatorRole(world.context, await decision(), { operatorId, role: 'support', why: 'other work' });
const shown = async (id: bigint) => {
  const { state, approvals, approvals_missing } = await getOperatorWithdrawal(world.context, [world.gateway], id);
  return { state, counts: approvals.map(({ operator_id, counts }) => [operator_id, counts]), approvals_missing };
};

test.each([
  ['disabled', disable],
  ['lowered to support', lower],
])('an approval of who was %s since does not count towards two', async (_, distrust) => {
  const { id } = await world.addRequested(6000);
  await approve(id, thief);
  await distrust(thief);
  expect(await shown(id)).toEqual({
    state: 'requested',
    counts: [[thief.operatorId.toString(), false]],
    approvals_missing: 2,
  });
  expect(await approve(id, world.finance)).toMatchObject({ state: 'requested' });
  expect(await shown(id)).toMatchObject({ approvals_missing: 1 });
  expect(await approve(id, world.second)).toMatchObject({ state: 'approved' });
  // Approvals stay on record even when they no longer count.
  const { rows } = await sql<{ actor_id: bigint; action: string }>`
    select actor_id, action from audit.entry where subject = ${`withdrawal:${id}`} and actor_kind = 'operator'
    order by id`.execute(world.context.db);
  expect(rows).toEqual([
    { actor_id: thief.operatorId, action: 'withdrawal.first_approval' },
    { actor_id: world.finance.operatorId, action: 'withdrawal.first_approval' },
    { actor_id: world.second.operatorId, action: 'withdrawal.approved' },
  ]);
});

test('one approved by an operator disabled since is paid neither by the gateway nor by hand, until another approves it', async () => {
  const { id } = await world.addRequested(100);
  expect(await approve(id, thief)).toMatchObject({ state: 'approved' });
  await disable(thief);
  const gateway = watched(world.gateway);
  expect(await payWithdrawals(world.context, [gateway])).toBe(0);
  expect(gateway.asked).toEqual([]);
  const take = async () => takeWithdrawal(world.context, actorOf(world.finance), await world.seen(id, world.finance));
  await expect(take()).rejects.toMatchObject({ code: 'approvals_missing' });
  expect(await shown(id)).toMatchObject({ state: 'approved', approvals_missing: 1 });
  expect(await approve(id, world.finance)).toMatchObject({ state: 'approved', payout_way: null });
  await expect(approve(id, world.second)).rejects.toMatchObject({ code: 'withdrawal_not_requested' });
  expect(await payWithdrawals(world.context, [gateway])).toBe(1);
  expect(await world.findings()).toEqual([]);
});

test('one of two approvals that stops counting after the second holds the payout', async () => {
  const { id } = await world.addRequested(6000);
  await approve(id, thief);
  expect(await approve(id, world.finance)).toMatchObject({ state: 'approved' });
  await disable(thief);
  expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
  await expect(approve(id, world.finance)).rejects.toMatchObject({ code: 'approved_already' });
  await approve(id, world.second);
  expect(await payWithdrawals(world.context, [world.gateway])).toBe(1);
});

test('disabling the approver between the claim and the order still holds the payout', async () => {
  const { id } = await world.addRequested(100);
  await approve(id, thief);
  const gateway = watched(world.gateway, {
    findPayout: async () => {
      await disable(thief);
      return undefined;
    },
  });
  expect(await payWithdrawals(world.context, [gateway])).toBe(0);
  expect(gateway.asked.filter((asked) => asked.startsWith('create'))).toEqual([]);
  expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_way: null });
});

test('a sum that grew over 5 000 after the one approval needed does not hold what was approved', async () => {
  const memberId = await world.addWithdrawer();
  const { id } = await world.addRequested(3000, { memberId });
  expect(await approve(id, world.finance)).toMatchObject({ state: 'approved' });
  await world.addRequested(3000, { memberId });
  expect(await payWithdrawals(world.context, [world.gateway])).toBe(1);
});

test('an operator invited again has to approve again: approvals of the old account do not count', async () => {
  const { id } = await world.addRequested(6000);
  await approve(id, thief);
  await disable(thief);
  world.clock.advance(60);
  const invited = await inviteFromServer(world.context, { name: 'Op', email: thief.email, role: 'finance' });
  assert('url' in invited);
  const { url } = invited;
  const password = 'seven tidal creeks';
  const from = { userAgent: 'test', address: '127.0.0.1' };
  const { operator } = await acceptInvitation(world.context, { token: url.split('#')[1] ?? '', password, ...from });
  await startOperatorTotp(world.context, operator.id, { password, address: from.address });
  expect(operator.id).toBe(thief.operatorId);
  expect(await shown(id)).toMatchObject({ approvals_missing: 2, counts: [[operator.id.toString(), false]] });
});

test('an operator disabled after their call was admitted decides nothing', async () => {
  const { id } = await world.addRequested(100);
  const seen = await world.seen(id, thief);
  await sql`update identity.operator set disabled_at = now() where id = ${thief.operatorId}`.execute(world.context.db);
  await expect(approveWithdrawal(world.context, actorOf(thief), seen)).rejects.toMatchObject({
    code: 'not_allowed',
  });
  expect(await world.withdrawal(id)).toMatchObject({ state: 'requested', version: 1 });
});
