import assert from 'node:assert';
import { base32nopad } from '@scure/base';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { confirmOperatorTotp, findCaller, inviteFromServer, startOperatorTotp } from '#server/accounts/index.ts';
import { updateEmail } from '#server/accounts/members/members.ts';
import { changeOperatorRole, disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { acceptInvitation } from '#server/accounts/operators/accounts/invitations.ts';
import {
  approveOperatorChange,
  executeDueOperatorChanges,
} from '#server/accounts/operators/accounts/operator-change.ts';
import { inTransaction } from '#server/db/tx.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { codeOf } from '#test/kit/at-once.ts';
import { freeze } from '#test/worlds/members.ts';
import { actorOf, codeAt, makeOperator, type TestOperator, wrongCode } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { cancelWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { setWithdrawalsFrozen } from '../withdrawals/freeze-withdrawals.ts';
import { listSteps } from '../withdrawals/withdrawal.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';
import { rejectWithdrawal, takeWithdrawal } from './decide-withdrawal.ts';
import { setPayoutSwitch } from './payout-switch.ts';
import { openOfficeWorld, watched } from './review-world.test-setup.ts';
import { getOperatorWithdrawal } from './show-withdrawals.ts';

const world = closeAfterAll(await openOfficeWorld());
const admin = await makeOperator(world.context, 'admin');
// Each test uses its own day, so that daily sums do not interfere.
beforeEach(() => world.clock.advance(24 * 3600));

const approve = async (id: bigint, operator: TestOperator = world.finance) =>
  approveWithdrawal(world.context, actorOf(operator), await world.seen(id, operator));
const reject = async (id: bigint, reason = 'No such account.') =>
  rejectWithdrawal(world.context, actorOf(world.finance), { ...(await world.seen(id)), reason });
const stopWithdrawals = (memberId: bigint) =>
  setWithdrawalsFrozen(world.context, actorOf(world.finance), { memberId, why: 'asked by phone' });

describe('approving', () => {
  test('under 5 000 a day one operator is enough, and the hold stays', async () => {
    const { id, member_id } = await world.addRequested(4999.999999);
    expect(await approve(id)).toMatchObject({ state: 'approved', version: 2, payout_way: null });
    expect(await world.held(member_id)).toBe(usd(4999.999999));
    expect((await world.messages(member_id)).at(-1)).toContain('was approved');
    const audit = await sql<{ actor_id: bigint; before: object; after: object }>`
      select actor_id, before, after from audit.entry
      where subject = ${`withdrawal:${id}`} and action = 'withdrawal.approved'`.execute(world.context.db);
    expect(audit.rows).toMatchObject([
      { actor_id: world.finance.operatorId, before: { state: 'requested' }, after: { state: 'approved' } },
    ]);
    expect(await world.findings()).toEqual([]);
  });

  test('an address that was changed in the database is not approved', async () => {
    const { id } = await world.addRequested(100);
    await sql`update funds.withdrawal set address = address || 'x' where id = ${id}`.execute(world.context.db);
    expect(await codeOf(approve(id))).toBe('withdrawal_changed');
    await sql`update funds.withdrawal set address = rtrim(address, 'x') where id = ${id}`.execute(world.context.db);
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });

  test('from $5,000 the first of two approvals leaves it requested, and is shown', async () => {
    const { id } = await world.addRequested(5000);
    expect(await approve(id)).toMatchObject({ state: 'requested', version: 2 });
    expect((await listSteps(world.context.db, [id])).map((step) => [step.state, step.note])).toEqual([
      ['requested', null],
      ['requested', 'Approved by the first of two operators.'],
    ]);
    expect(await codeOf(approve(id))).toBe('approved_already');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'requested', version: 2 });
    expect(await approve(id, world.second)).toMatchObject({ state: 'approved', version: 3 });
    expect(await world.findings()).toEqual([]);
  });

  test('a large sum split into small ones needs two for each that is still requested', async () => {
    const memberId = await world.addWithdrawer();
    const first = await world.addRequested(2500, { memberId });
    expect(await approve(first.id)).toMatchObject({ state: 'approved' });
    const [next, last] = [await world.addRequested(2499, { memberId }), await world.addRequested(10, { memberId })];
    expect(await approve(next.id)).toMatchObject({ state: 'requested' });
    expect(await approve(last.id)).toMatchObject({ state: 'requested' });
    await reject(last.id);
    // The daily sum is below $5,000 again: one approval suffices, and its operator may complete it.
    expect(await approve(next.id)).toMatchObject({ state: 'approved' });
    expect(await world.findings()).toEqual([]);
  });

  test('the sum is that of one UTC day', async () => {
    const memberId = await world.addWithdrawer();
    await world.addRequested(4000, { memberId });
    world.clock.advance(24 * 3600);
    const { id } = await world.addRequested(4000, { memberId });
    expect(await approve(id)).toMatchObject({ state: 'approved' });
  });
});

describe('an approval is refused', () => {
  test('without, or with a wrong or a used second factor', async () => {
    const { id } = await world.addRequested(100);
    const bare = { operatorId: (await insertBareOperator()) as bigint, address: '127.0.0.1' };
    expect(await codeOf(approveWithdrawal(world.context, bare, { withdrawalId: id, version: 1, otp: '123456' }))).toBe(
      'second_factor_missing',
    );
    const otp = await world.finance.code();
    const wrong = wrongCode(otp);
    const approveWith = (code: string, withdrawalId = id) =>
      approveWithdrawal(world.context, actorOf(world.finance), { withdrawalId, version: 1, otp: code });
    expect(await codeOf(approveWith(wrong))).toBe('wrong_second_factor');
    expect(await approveWith(otp)).toMatchObject({ state: 'approved' });
    const other = await world.addRequested(100);
    expect(await codeOf(approveWith(otp, other.id))).toBe('wrong_second_factor');
    expect(await world.withdrawal(other.id)).toMatchObject({ state: 'requested', version: 1 });
  });

  test('when it has changed since it was read, and the code stays valid', async () => {
    const { id } = await world.addRequested(6000);
    await approve(id, world.second);
    const otp = await world.finance.code();
    const stale = { withdrawalId: id, version: 1, otp };
    expect(await codeOf(approveWithdrawal(world.context, actorOf(world.finance), stale))).toBe('withdrawal_changed');
    const fresh = { withdrawalId: id, version: 2, otp };
    expect(await approveWithdrawal(world.context, actorOf(world.finance), fresh)).toMatchObject({
      state: 'approved',
    });
  });

  test('once it is cancelled, rejected or approved', async () => {
    const [cancelled, rejected, approved] = [
      await world.addRequested(100),
      await world.addRequested(100),
      await world.addRequested(100),
    ];
    await cancelWithdrawal(world.context, cancelled.member_id, cancelled.id);
    await reject(rejected.id);
    await approve(approved.id);
    for (const { id } of [cancelled, rejected, approved]) {
      expect(await codeOf(approve(id, world.second))).toBe('withdrawal_not_requested');
    }
    expect(await world.findings()).toEqual([]);
  });

  test('of their own withdrawal, whatever the capital letters of the email address', async () => {
    const { id, member_id } = await world.addRequested(100);
    await sql`update identity.member set email = ${world.finance.email.toUpperCase()} where id = ${member_id}`.execute(
      world.context.db,
    );
    expect(await codeOf(approve(id))).toBe('own_withdrawal');
    // The link to the operator's own account survives a change of the member's email address.
    for (const email of ['other@mail.test', 'third@mail.test'])
      await inTransaction(world.context.db, (tx) => updateEmail(tx, member_id, email, world.context.now()));
    expect(await codeOf(approve(id))).toBe('own_withdrawal');
    expect(await approve(id, world.second)).toMatchObject({ state: 'approved' });
  });

  test('while the member or their withdrawals are frozen, or payouts are stopped', async () => {
    const { id, member_id } = await world.addRequested(100);
    await stopWithdrawals(member_id);
    expect(await codeOf(approve(id))).toBe('withdrawals_frozen');
    await world.release(member_id);
    await setPayoutSwitch(world.context, actorOf(world.finance), { stopped: true, why: 'audit' });
    expect(await codeOf(approve(id))).toBe('payouts_stopped');
    const goOn = { stopped: false, why: 'done', otp: await world.finance.code() };
    await setPayoutSwitch(world.context, actorOf(world.finance), goOn);
    await freeze(world.context, member_id);
    expect(await codeOf(approve(id))).toBe('account_frozen');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'requested', version: 1 });
  });
});

describe('rejecting', () => {
  test('is possible after approval too, and refused afterwards or for what was changed', async () => {
    const { id } = await world.addApproved(100);
    const stale = { withdrawalId: id, version: 1, reason: 'x' };
    expect(await codeOf(rejectWithdrawal(world.context, actorOf(world.finance), stale))).toBe('withdrawal_changed');
    expect(await reject(id)).toMatchObject({ state: 'rejected' });
    expect(await codeOf(reject(id))).toBe('withdrawal_state');
    const unknown = { withdrawalId: 999_999n, version: 1, reason: 'x' };
    expect(await codeOf(rejectWithdrawal(world.context, actorOf(world.finance), unknown))).toBe('withdrawal_not_found');
  });
});

/** An operator who has not set up an authenticator app. */
async function insertBareOperator(): Promise<bigint | undefined> {
  const { operatorId } = await makeOperator(world.context, 'finance');
  await sql`delete from identity.totp where operator_id = ${operatorId}`.execute(world.context.db);
  return operatorId;
}

describe('approvals that stop counting', () => {
  /** A new operator for each test, whose approvals stop counting. */
  let thief: TestOperator;
  beforeEach(async () => {
    await payWithdrawals(world.context, [world.gateway]);
    thief = await makeOperator(world.context, 'finance');
  });

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
    expect(await codeOf(take())).toBe('approvals_missing');
    expect(await shown(id)).toMatchObject({ state: 'approved', approvals_missing: 1 });
    expect(await approve(id, world.finance)).toMatchObject({ state: 'approved', payout_way: null });
    expect(await codeOf(approve(id, world.second))).toBe('withdrawal_not_requested');
    expect(await payWithdrawals(world.context, [gateway])).toBe(1);
    expect(await world.findings()).toEqual([]);
  });

  test('one of two approvals that stops counting after the second holds the payout', async () => {
    const { id } = await world.addRequested(6000);
    await approve(id, thief);
    expect(await approve(id, world.finance)).toMatchObject({ state: 'approved' });
    await disable(thief);
    expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
    expect(await codeOf(approve(id, world.finance))).toBe('approved_already');
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
    const accepted = await acceptInvitation(world.context, { token: url.split('#')[1] ?? '', password, ...from });
    const started = await startOperatorTotp(world.context, accepted.operator.id, { password, address: from.address });
    const { operatorId } = thief;
    expect(accepted.operator.id).toBe(operatorId);
    expect(await shown(id)).toMatchObject({ approvals_missing: 2, counts: [[operatorId.toString(), false]] });
    const caller = await findCaller(world.context, accepted.accessToken);
    assert(caller?.kind === 'operator');
    const code = async () => codeAt(base32nopad.decode(started.secret), world.clock.now());
    await confirmOperatorTotp(world.context, caller, { otp: await code(), ...from });
    world.clock.advance(60);
    expect(await approve(id, { ...thief, code })).toMatchObject({ state: 'requested' });
    expect(await shown(id)).toMatchObject({ approvals_missing: 1 });
    expect(await approve(id, world.second)).toMatchObject({ state: 'approved' });
  });

  test('an approval of who was lowered does not count again once they are raised, only a new one', async () => {
    const { id } = await world.addRequested(6000);
    await approve(id, thief);
    world.clock.advance(60);
    await lower(thief);
    const { operatorId } = thief;
    const raise = { operatorId, role: 'finance', why: 'back again' } as const;
    const change = await changeOperatorRole(world.context, await decision(), raise);
    const { operatorId: other } = world.second;
    const by = { operatorId: other, otp: await world.second.code(), address: '127.0.0.1' };
    await approveOperatorChange(world.context, by, change?.id as bigint);
    world.clock.advance(24 * 3600);
    expect(await executeDueOperatorChanges(world.context)).toBe(1);
    expect(await shown(id)).toMatchObject({ approvals_missing: 2, counts: [[operatorId.toString(), false]] });
    expect(await approve(id, world.finance)).toMatchObject({ state: 'requested' });
    expect(await approve(id, thief)).toMatchObject({ state: 'approved' });
  });

  test('an operator disabled after their call was admitted decides nothing', async () => {
    const { id } = await world.addRequested(100);
    const seen = await world.seen(id, thief);
    await sql`update identity.operator set disabled_at = now() where id = ${thief.operatorId}`.execute(
      world.context.db,
    );
    expect(await codeOf(approveWithdrawal(world.context, actorOf(thief), seen))).toBe('not_allowed');
    expect(await world.withdrawal(id)).toMatchObject({ state: 'requested', version: 1 });
  });
});
