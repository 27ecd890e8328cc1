import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type NowpaymentsCall, nowpaymentsPayerEnv, startNowpayments } from '#test/fake-servers/nowpayments.ts';
import { runs } from '#test/kit/property-runs.ts';
import { testConfig } from '#test/worlds/builders.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { usd } from '../../funds-world.test-setup.ts';
import { followPayouts } from '../../payouts/follow-payouts.ts';
import { payWithdrawals } from '../../payouts/pay-withdrawals.ts';
import { setPayoutSwitch } from '../../review/payout-switch.ts';
import { openOfficeWorld } from '../../review/review-world.test-setup.ts';
import { listSteps } from '../../withdrawals/withdrawal.ts';
import { nowpaymentsGateway } from './gateway.ts';

const world = closeAfterAll(await openOfficeWorld());
const node = closeAfterAll(await startNowpayments(() => world.clock.now().getTime()));
const { made, finish, get } = node.payouts;
/** Each is a worker of its own: with its own token and memory. */
const openGateway = () => nowpaymentsGateway({ ...world.context, config: testConfig(nowpaymentsPayerEnv(node)) });
let gateway = openGateway();
beforeEach(() => {
  world.clock.advance(24 * 3600);
  node.interferences.splice(0);
  gateway = openGateway();
});

const pay = () => payWithdrawals(world.context, [gateway]);
const follow = (seconds = 5) => {
  world.clock.advance(seconds);
  return followPayouts(world.context, [gateway]);
};
const statusOf = (reference: string) => made.filter((one) => one.reference === reference).map(({ status }) => status);
const stop = async (stopped: boolean) => {
  const otp = stopped ? {} : { otp: await world.finance.code() };
  await setPayoutSwitch(world.context, actorOf(world.finance), { stopped, why: 'audit', ...otp });
};

test('a withdrawal is ordered, confirmed and completed with its transaction', async () => {
  const { id, reference, member_id } = await world.addApproved(100);
  expect(await pay()).toBe(1);
  const { payout_id, state } = await world.withdrawal(id);
  expect([state, statusOf(reference)]).toEqual(['sent', ['PROCESSING']]);
  finish(payout_id as string);
  expect(await follow()).toBe(1);
  const { hash: transaction, amount } = get(payout_id as string);
  expect(await world.withdrawal(id)).toMatchObject({ state: 'completed', gateway: 'nowpayments', transaction });
  expect([amount, await world.held(member_id)]).toEqual([99, 0n]);
  const { rows } = await sql<{ reason: string; micros: bigint }>`
    select reason, amount::bigint as micros from ledger.transfer
    where reference = ${reference} and reason = 'network_fee'`.execute(world.context.db);
  expect(rows).toEqual([{ reason: 'network_fee', micros: usd(1.2) }]);
});

test('payouts not confirmed when payouts are stopped stay approved, and are confirmed and sent when they resume', async () => {
  const { id, reference } = await world.addApproved(100);
  node.interferences.push({ call: 'verifyPayout', with: { status: 500, body: {} } });
  expect(await pay()).toBe(1);
  await stop(true);
  await follow(600);
  await follow(600);
  expect([(await world.withdrawal(id)).state, statusOf(reference)]).toEqual(['approved', ['CREATING']]);
  await stop(false);
  await follow(600);
  expect([(await world.withdrawal(id)).state, statusOf(reference)]).toEqual(['sent', ['PROCESSING']]);
});

test('payouts that are never confirmed are rejected by the gateway, and the money is returned', async () => {
  const { id, reference, member_id } = await world.addApproved(100);
  node.interferences.push({ call: 'verifyPayout', with: 'break' });
  await pay();
  await stop(true);
  await follow(3601);
  await stop(false);
  expect([(await world.withdrawal(id)).state, statusOf(reference)]).toEqual(['failed', ['REJECTED']]);
  const steps = (await listSteps(world.context.db, [id])).map(({ state }) => state);
  expect(steps).not.toContain('sent');
  expect([await world.held(member_id), await world.primary(member_id)]).toEqual([0n, usd(20_000)]);
});

test('an order whose reply was lost is found by its reference, once its claim has expired', async () => {
  const { id, reference } = await world.addApproved(100);
  node.interferences.push({ call: 'createPayout', with: 'do_and_break' });
  expect(await pay()).toBe(0);
  expect(await follow(60)).toBe(1);
  expect([(await world.withdrawal(id)).state, statusOf(reference)]).toEqual(['approved', ['CREATING']]);
  await follow();
  expect(statusOf(reference)).toEqual(['PROCESSING']);
});

const WITHDRAWALS = runs(60);
/** A call that hangs ends like one whose connection breaks after it (payouts.test.ts), but costs its timeout. */
const faults = ['break', 'do_and_break', { status: 500, body: {} }, { status: 401, body: {} }] as const;
const calls: NowpaymentsCall[] = ['signIn', 'createPayout', 'verifyPayout', 'getPayout', 'listPayouts'];

test(`${WITHDRAWALS} withdrawals, three workers and a gateway at fault: each is paid once or not at all`, {
  timeout: 600_000,
}, async () => {
  let seed = 20_260_304;
  const roll = (sides: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % sides;
  };
  const rows = [];
  for (let index = 0; index < WITHDRAWALS; index += 1) rows.push(await world.addApproved(20, 'ERC20'));
  const before = new Set(made);
  const workers = Array.from({ length: 3 }, openGateway);
  const round = async () => {
    const work = workers.map(async (worker) => {
      await payWithdrawals(world.context, [worker]).catch(() => {});
      await followPayouts(world.context, [worker]).catch(() => {});
    });
    await Promise.all(work);
    for (const { id, status } of made) if (status === 'PROCESSING' && roll(2) === 0) finish(id);
    world.clock.advance(30 + roll(120));
  };
  for (let turn = 0; turn < 12; turn += 1) {
    for (let index = 0; index < 6; index += 1)
      node.interferences.push({
        call: calls[roll(calls.length)] ?? 'signIn',
        with: faults[roll(faults.length)] ?? 'break',
      });
    await round();
  }
  node.interferences.splice(0);
  for (let turn = 0; turn < 60; turn += 1) await round();

  const ours = made.filter((payout) => !before.has(payout));
  expect(new Set(ours.map(({ reference }) => reference)).size).toBe(ours.length);
  const ends = new Set<string>();
  for (const { id, reference } of rows) {
    const { state } = await world.withdrawal(id);
    ends.add(`${state} ${statusOf(reference).join()}`);
  }
  const allowed = ['completed FINISHED', 'failed REJECTED', 'uncertain '];
  expect([...ends].filter((end) => !allowed.includes(end))).toEqual([]);
  expect(ends).toContain('completed FINISHED');
  expect(await world.findings()).toEqual([]);
});
