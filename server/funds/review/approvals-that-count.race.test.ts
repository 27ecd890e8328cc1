import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { disableOperator } from '#server/accounts/operators/accounts/change-operator.ts';
import { inTransaction } from '#server/db/tx.ts';
import { haltTrading, liftHalt } from '#server/trading/halts/halt-trading.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, inTurns } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { actorOf, makeOperator } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { payWithdrawals } from '../payouts/pay-withdrawals.ts';
import { addToDay, lockWithdrawal, subtractFromDay } from '../withdrawals/withdrawal.ts';
import { approveWithdrawal } from './approve-withdrawal.ts';
import { returnWithdrawal, sendWithdrawal, takeWithdrawal } from './decide-withdrawal.ts';
import { setPayoutSwitch } from './payout-switch.ts';
import { openOfficeWorld } from './review-world.test-setup.ts';

const world = closeAfterAll(await openOfficeWorld());
const admin = await makeOperator(world.context, 'admin');
beforeEach(() => world.clock.advance(24 * 3600));

/** A withdrawal of $6,000 with a first approval and its operator, and both sides of a race, each with a valid code. */
async function prepare() {
  const thief = await makeOperator(world.context, 'finance');
  const { id } = await world.addRequested(6000);
  await approveWithdrawal(world.context, actorOf(thief), await world.seen(id, thief));
  const seen = await world.seen(id, world.second);
  const decision = { operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' };
  return {
    id,
    approve: () => approveWithdrawal(world.context, actorOf(world.second), seen),
    disable: () => disableOperator(world.context, decision, { operatorId: thief.operatorId, why: 'stolen phone' }),
  };
}

test('disabled while the second approval is given, the first one lets nothing out that is paid afterwards', async () => {
  for (let round = 0; round < 12; round += 1) {
    const { id, approve, disable } = await prepare();
    await Promise.all(inTurns(round, [approve, disable]).map((side) => side()));
    // If the approval was first, it is approved and then held; otherwise this is the first valid approval.
    expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
    const { state } = await world.withdrawal(id);
    expect(['requested', 'approved']).toContain(state);
    await approveWithdrawal(world.context, actorOf(world.finance), await world.seen(id, world.finance));
    expect(await world.withdrawal(id)).toMatchObject({ state: 'approved' });
    expect(await payWithdrawals(world.context, [world.gateway])).toBe(1);
  }
  expect(await world.findings()).toEqual([]);
});

test('a second approval that waited while the first operator was disabled does not count their approval', async () => {
  const { id, approve, disable } = await prepare();
  let approving: Promise<unknown> = Promise.resolve();
  await inTransaction(world.context.db, async (tx) => {
    await lockWithdrawal(tx, id);
    approving = approve();
    await waitForLock();
    // Committed while the approval waits for the lock on the withdrawal, before it reads anything.
    await disable();
  });
  expect(await approving).toMatchObject({ state: 'requested' });
  expect(await payWithdrawals(world.context, [world.gateway])).toBe(0);
});

test('an approval waits for a request that brings the day to two operators, and is then the first of them', async () => {
  const { id, member_id: memberId, requested_on: day } = await world.addRequested(3000);
  const seen = await world.seen(id, world.finance);
  let approving: Promise<unknown> = Promise.resolve();
  await inTransaction(world.context.db, async (tx) => {
    await addToDay(tx, { memberId, day, amountMicros: usd(3000), limitMicros: usd(10_000) });
    approving = approveWithdrawal(world.context, actorOf(world.finance), seen);
    await waitForLock();
  });
  expect(await approving).toMatchObject({ state: 'requested' });
  await inTransaction(world.context.db, (tx) => subtractFromDay(tx, memberId, day, usd(3000)));
});

test('while its claimant is disabled, it is sent by them or by another operator, or released, once', async () => {
  for (let round = 0; round < 8; round += 1) {
    const leaver = await makeOperator(world.context, 'finance');
    const { id } = await world.addApproved(100);
    await takeWithdrawal(world.context, actorOf(leaver), await world.seen(id, leaver));
    const [own, seen] = [await world.seen(id, leaver), await world.seen(id, world.second)];
    const decision = { operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' };
    const rivals = [
      () => sendWithdrawal(world.context, actorOf(leaver), { ...own, transaction: 'a1b2c3d4e5f6' }),
      () => disableOperator(world.context, decision, { operatorId: leaver.operatorId, why: 'left us' }),
      () => returnWithdrawal(world.context, actorOf(world.second), seen),
    ];
    const { refused } = await atOnce(inTurns(round, rivals));
    // Disabling removes the authenticator, so between two checks the code becomes wrong or is not required.
    const gone = ['not_allowed', 'wrong_second_factor', 'second_factor_missing'];
    expect([...gone, 'withdrawal_changed', 'withdrawal_state']).toEqual(expect.arrayContaining(refused));
    const { state, payout_way } = await world.withdrawal(id);
    expect([
      ['sent', 'hand'],
      ['approved', null],
      // Neither was first: one was already disabled while the other still saw them as active.
      ['approved', 'hand'],
    ]).toContainEqual([state, payout_way]);
    if (payout_way === 'hand' && state === 'approved')
      await returnWithdrawal(world.context, actorOf(world.second), await world.seen(id, world.second));
  }
  expect(await world.findings()).toEqual([]);
});

test.each(['payouts', 'trading'] as const)('an operator disabled meanwhile cannot resume %s', async (what) => {
  const { context } = world;
  const leaver = await makeOperator(context, 'finance');
  await setPayoutSwitch(context, actorOf(admin), { stopped: true, why: 'look into it' });
  const { id } = await haltTrading(context, actorOf(admin), 'look into it');
  const otp = await leaver.code();
  const decision = { operatorId: admin.operatorId, otp: await admin.code(), address: '127.0.0.1' };
  let goingOn: Promise<unknown> = Promise.resolve();
  await inTransaction(context.db, async (tx) => {
    await sql`select from funds.payout_switch, market.clock for update`.execute(tx);
    goingOn =
      what === 'payouts'
        ? setPayoutSwitch(context, actorOf(leaver), { stopped: false, why: 'all is well', otp })
        : liftHalt(context, actorOf(leaver), { version: Number(id), note: 'all is well', otp });
    goingOn.catch(() => {});
    await waitForLock();
    await disableOperator(context, decision, { operatorId: leaver.operatorId, why: 'stolen phone' });
  });
  await expect(goingOn).rejects.toMatchObject({ code: 'not_allowed' });
  await setPayoutSwitch(context, actorOf(admin), { stopped: false, why: 'over', otp: await admin.code() });
  const lifting = { version: Number(id), note: 'over', otp: await admin.code() };
  expect(await liftHalt(context, actorOf(admin), lifting)).toMatchObject({ id, note: 'over' });
});

const waitForLock = () =>
  waitFor(async () => (await countLockWaits(world.context.db)) > 0, 'somebody waits for a lock');
