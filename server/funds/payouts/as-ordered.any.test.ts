import { beforeEach, describe, expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { btcpayEnv, startBtcpay } from '#test/fake-servers/btcpay.ts';
import { atOnce } from '#test/kit/at-once.ts';
import { actorOf } from '#test/worlds/operators.ts';
import { usd } from '../funds-world.test-setup.ts';
import { resolveWithdrawal, takeWithdrawal } from '../review/decide-withdrawal.ts';
import { openOfficeWorld } from '../review/review-world.test-setup.ts';
import { getOperatorWithdrawal } from '../review/show-withdrawals.ts';
import { writeWithdrawals } from '../withdrawals/list-withdrawals.ts';
import { getWithdrawal, orderOf, type WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { followPayouts } from './follow-payouts.ts';
import { payWithdrawals } from './pay-withdrawals.ts';
import { answerSearches } from './search-payout.ts';

const node = closeAfterAll(await startBtcpay());
const world = closeAfterAll(await openOfficeWorld(btcpayEnv(node)));
node.now = () => world.clock.now().getTime();
const { context } = world;
beforeEach(() => {
  world.clock.advance(24 * 3600);
  node.payouts.splice(0);
});

const follow = async () => {
  world.clock.advance(600);
  return followPayouts(context);
};
const sent = async (): Promise<WithdrawalRow> => {
  const { id } = await world.addApproved(100, 'BTC');
  await payWithdrawals(context);
  return world.withdrawal(id);
};
/** What the gateway has for it is not what was ordered. */
const change = (change: { destination?: string; amount?: string }) => {
  node.payouts[0] = { ...(node.payouts[0] as (typeof node.payouts)[number]), ...change };
};
const others = [
  ['another amount', { amount: '0.00198001' }],
  ['another address', { destination: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }],
] as const;

test('the coins that were ordered are stored, also when the reply is lost, and what is found is compared with them', async () => {
  node.rate = '50000';
  node.interferences.push({ call: 'createPayout', with: 'do_and_break' });
  const { id, reference } = await world.addApproved(100, 'BTC');
  await payWithdrawals(context);
  node.rate = '60000';
  expect(await world.withdrawal(id)).toMatchObject({ state: 'approved', payout_units: '0.00198000' });
  expect(await follow()).toBe(1);
  expect(await world.withdrawal(id)).toMatchObject({ state: 'sent', payout_id: node.payouts[0]?.id });
  node.completePayout(node.payouts[0]?.id as string);
  expect(await follow()).toBe(1);
  expect(await world.withdrawal(id)).toMatchObject({ state: 'completed', reference });
  expect(await world.findings()).toEqual([]);
});

test('the coins of an order that was refused are not shown to those who then pay by hand', async () => {
  node.interferences.push({ call: 'createPayout', with: { status: 422, body: [] } });
  const { id } = await world.addApproved(100, 'BTC');
  await payWithdrawals(context);
  await takeWithdrawal(context, actorOf(world.finance), await world.seen(id));
  expect((await getOperatorWithdrawal(context, [], id)).payout).toMatchObject({ way: 'hand', units: null });
});

describe.each(others)('a payout of %s', (_, other) => {
  test('is never completed: it is uncertain, on hold, until a person has decided', async () => {
    const { id, member_id, payout_id } = await sent();
    change(other);
    node.completePayout(payout_id as string);
    const transaction = node.payouts[0]?.transaction as string;
    expect(await follow()).toBe(1);
    expect(await world.withdrawal(id)).toMatchObject({ state: 'uncertain', payout_id, transaction });
    expect(await world.held(member_id)).toBe(usd(100));
    expect(await follow()).toBe(0);
    const shown = () => getWithdrawal(context, member_id, id);
    expect(await shown()).toMatchObject({ state: 'uncertain', transaction: null });
    expect((await Array.fromAsync(writeWithdrawals(context, member_id, {}).text)).join()).not.toContain(transaction);
    expect(await getOperatorWithdrawal(context, [], id)).toMatchObject({ transaction });
    const resolution = { ...(await world.seen(id)), outcome: 'completed', transaction } as const;
    await resolveWithdrawal(context, actorOf(world.finance), resolution);
    expect(await shown()).toMatchObject({ state: 'completed', transaction });
    expect(await world.held(member_id)).toBe(0n);
    expect(await world.findings()).toEqual([]);
  });

  test('that has the reference before anything was ordered is uncertain, and nothing is ordered', async () => {
    const row = await world.addApproved(100, 'BTC');
    await world.gateway.createPayout({ ...orderOf(row), units: '0.00198' });
    change(other);
    await payWithdrawals(context);
    expect(node.payouts).toHaveLength(1);
    expect(await world.withdrawal(row.id)).toMatchObject({ state: 'uncertain', payout_id: node.payouts[0]?.id });
    expect(await world.held(row.member_id)).toBe(usd(100));
  });

  test('that is found only when a person says that it never left is shown to them first', async () => {
    node.interferences.push({ call: 'createPayout', with: 'break' });
    const row = await world.addApproved(100, 'BTC');
    await payWithdrawals(context);
    await follow();
    expect(await world.withdrawal(row.id)).toMatchObject({ state: 'uncertain', payout_id: null });
    await world.gateway.createPayout({ ...orderOf(row), units: '0.00198' });
    change(other);
    const sayFailed = async () => {
      const said = { ...(await world.seen(row.id)), outcome: 'failed', reason: 'It never left.' } as const;
      const deciding = resolveWithdrawal(context, actorOf(world.finance), said);
      deciding.catch(() => {});
      while ((await answerSearches(context)) === 0);
      return deciding;
    };
    await expect(sayFailed()).rejects.toMatchObject({ code: 'withdrawal_changed' });
    expect(await world.withdrawal(row.id)).toMatchObject({ state: 'uncertain', payout_id: node.payouts[0]?.id });
    expect(await sayFailed()).toMatchObject({ state: 'failed' });
  });
});

test('two operators who decide about it at once: one counts', async () => {
  const { id, payout_id, member_id } = await sent();
  change({ amount: '0.001' });
  node.completePayout(payout_id as string);
  await follow();
  const said = { outcome: 'completed', transaction: node.payouts[0]?.transaction as string } as const;
  const { done, refused } = await atOnce(
    [world.finance, world.second].map(async (operator) =>
      resolveWithdrawal(context, actorOf(operator), { ...(await world.seen(id, operator)), ...said }),
    ),
  );
  expect([done.length, refused.length]).toEqual([1, 1]);
  expect(await world.held(member_id)).toBe(0n);
  expect(await world.findings()).toEqual([]);
});
