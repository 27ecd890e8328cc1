import { expect, test } from 'vitest';
import { setOwnLimits } from '#server/accounts/limits/set-own-limits.ts';
import { setMemberFrozen } from '#server/accounts/members/freeze-member.ts';
import type { Once } from '#server/db/tx.ts';
import { lockAccounts, verifyLedger } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { holdOpen } from '#test/database/hold-open.ts';
import { countLockWaits } from '#test/database/lock-waits.ts';
import { atOnce, times } from '#test/kit/at-once.ts';
import { waitFor } from '#test/kit/wait-until.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { makeOperator } from '#test/worlds/operators.ts';
import { holdPlan, openTradingWorld } from '#test/worlds/trading-world.ts';
import { closeTrade, createPlan, followMarket, listTrades, setTradeStops } from '../index.ts';
import { pausePlan, redeemPlan } from './change-plan.ts';
import { getPlan } from './list-plans.ts';

const world = closeAfterAll(
  await openTradingWorld({
    from: '2026-03-03T12:00:00Z',
    minutes: 3 * 24 * 60,
    candle: (_, at) => still(at.getUTCMinutes() % 2 === 0 ? '100' : '103'),
    start: '2026-03-03T12:20:00Z',
    speed: 3600,
  }),
);

async function memberWithPlan() {
  const { memberId } = await world.member('Ann', 50);
  return { memberId, id: BigInt((await world.createPlan({ amount: 50 }, memberId)).id) };
}

test('of twenty plans at once with the whole balance exactly one is made', async () => {
  const { memberId } = await world.member('Ann', 50);
  const { refused } = await atOnce(times(20, () => world.createPlan({ amount: 50 }, memberId)));
  expect(refused).toEqual(Array(19).fill('insufficient_funds'));
  expect(await world.balances(memberId)).toMatchObject({ primary: 0n, investment: 50_000_000n });
});

test('a plan that is being made is there before a freeze or a pause of its member is, or refused', async () => {
  const { context } = world;
  const actor = { operatorId: (await makeOperator(context, 'support')).operatorId, address: '127.0.0.1' };
  const bars = [
    (memberId: bigint) => setMemberFrozen(context, actor, { memberId, why: 'test' }),
    (memberId: bigint) => setOwnLimits(context, { memberId }, { pauseDays: 1, address: '127.0.0.1' }),
  ];
  for (const bar of bars) {
    const { memberId } = await world.member('Ann', 50);
    const release = await holdOpen(context.db, (tx) => lockAccounts(tx, memberId));
    const ended: string[] = [];
    const created = world.createPlan({ amount: 50 }, memberId).then(() => ended.push('plan'));
    await waitFor(async () => (await countLockWaits(context.db)) === 1, 'the plan waits for its money');
    const barred = bar(memberId).then(() => ended.push('bar'));
    await Promise.race([
      barred,
      waitFor(async () => (await countLockWaits(context.db)) === 2, 'the bar waits for the plan'),
    ]);
    await Promise.all([release(), created, barred]);
    expect(ended).toEqual(['plan', 'bar']);
    await expect(world.createPlan({ amount: 50 }, memberId)).rejects.toMatchObject({
      code: bar === bars[0] ? 'account_frozen' : 'own_pause',
    });
  }
});

test('a plan redeemed twenty times at once gives its money back once', async () => {
  const { memberId, id } = await memberWithPlan();
  const { refused } = await atOnce(times(20, () => redeemPlan(world.context, memberId, id)));
  expect(refused).toEqual(Array(19).fill('plan_redeemed'));
  expect(await world.balances(memberId)).toMatchObject({ primary: 50_000_000n, investment: 0n });
});

test('members who redeem, pause and change while a session opens: each plan either trades or was changed before', async () => {
  const plans = await Promise.all(Array.from({ length: 12 }, () => memberWithPlan()));
  const change = async () => {
    await atOnce([
      ...plans.map(({ memberId, id }, index) =>
        index % 2 === 0 ? () => redeemPlan(world.context, memberId, id) : () => pausePlan(world.context, memberId, id),
      ),
    ]);
  };
  const follow = () => Promise.all([followMarket(world.context), followMarket(world.context), change()]);
  await world.play('03T12:29:59');
  await world.play('03T12:31:00', follow);
  for (const { memberId, id } of plans) {
    const { plan } = await getPlan(world.context.db, memberId, id);
    const trades = (await listTrades(world.context.db, { memberId, limit: 10 })).items;
    expect(trades).toHaveLength(plan.state === 'active' ? 1 : 0);
  }
  await world.play('03T17:31:00');
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 60_000);

test('stops set, removed and closed by hand while ticks trigger them: every trade is sold once', async () => {
  const plans = await Promise.all(Array.from({ length: 8 }, () => memberWithPlan()));
  await world.play('04T12:31:00');
  const trades = await Promise.all(
    plans.map(async ({ memberId }) => {
      const [trade] = (await listTrades(world.context.db, { memberId, state: 'open', limit: 1 })).items;
      return { memberId, id: BigInt(trade?.id ?? 0) };
    }),
  );
  const follow = () =>
    Promise.all([
      followMarket(world.context),
      followMarket(world.context),
      atOnce([
        ...trades.flatMap(({ memberId, id }, index) => [
          () => setTradeStops(world.context, memberId, id, { stop_loss: 0.1, take_profit: 2, trailing_stop: 1 }),
          () => setTradeStops(world.context, memberId, id, { stop_loss: null, take_profit: 2.5, trailing_stop: null }),
          ...(index % 3 === 0 ? [() => closeTrade(world.context, memberId, id)] : []),
        ]),
      ]),
    ]);
  await world.play('04T12:50:00', follow);
  await world.play('04T17:31:00');
  for (const { memberId, id } of plans) {
    const { plan } = await getPlan(world.context.db, memberId, id);
    const { investment, trade_escrow, primary, profit } = await world.balances(memberId);
    expect(BigInt(Math.round(plan.principal * 1e6))).toBe(investment);
    expect([trade_escrow, primary, profit]).toEqual([0n, 0n, 0n]);
  }
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 60_000);

test('twenty requests at once with one key make one plan', async () => {
  const { memberId: callerId } = await world.member('Bob', 1000);
  const once: Once = { callerId, call: 'POST /trading/plans', key: 'twenty', bodyHash: 'h' };
  const same = await atOnce(times(20, () => createPlan(world.context, callerId, { ...holdPlan, amount: 50 }, once)));
  expect(new Set(same.done.map(({ id }) => id)).size).toBe(1);
  expect(same.refused.filter((code) => code !== 'idempotency_running')).toEqual([]);
  expect(await world.balances(callerId)).toMatchObject({ primary: 950_000_000n, investment: 50_000_000n });
});
