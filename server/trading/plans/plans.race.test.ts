import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBalances, verifyLedger } from '#server/ledger/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil, recordMarket, still } from '#test/recorded-market.ts';
import {
  closeTrade,
  createPlan,
  followMarket,
  getPlan,
  listTrades,
  pausePlan,
  redeemPlan,
  resumePlan,
  setTradeStops,
} from '../index.ts';

const recording = recordMarket({
  from: '2026-03-03T12:00:00Z',
  minutes: 3 * 24 * 60,
  candle: (_, at) => still(at.getUTCMinutes() % 2 === 0 ? '100' : '103'),
  symbols: ['btc'],
});
let world: Awaited<ReturnType<typeof bootTest>>;

beforeAll(async () => {
  world = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: '2026-03-03T12:20:00Z',
    MARKET_SPEED: '3600',
  });
});
afterAll(async () => {
  await world.database.close();
  recording.remove();
});

const input = {
  tradeId: 'btc',
  strategy: 'session_hold',
  wallet_type: 'primary',
  amount: 50,
  compounding: true,
} as const;

async function memberWithPlan() {
  const { memberId } = await signUp(world.context);
  await giveFunds(world.context, memberId, 50_000_000n);
  const { id } = await createPlan(world.context, memberId, input);
  return { memberId, id: BigInt(id) };
}

const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) =>
    result.status === 'rejected' ? [(result.reason as { code?: string }).code ?? String(result.reason)] : [],
  );
const together = (...calls: (() => Promise<unknown>)[]) => Promise.allSettled(calls.map((call) => call()));
const times = (count: number, call: () => Promise<unknown>) => Array.from({ length: count }, () => call);
const balances = (memberId: bigint) => getBalances(world.context.db, memberId);

test('of twenty plans at once with the whole balance exactly one is made, and with one key the same', async () => {
  const { memberId } = await signUp(world.context);
  await giveFunds(world.context, memberId, 50_000_000n);
  const results = await together(...times(20, () => createPlan(world.context, memberId, input)));
  expect(codes(results)).toEqual(Array(19).fill('insufficient_funds'));
  expect(await balances(memberId)).toMatchObject({ primary: 0n, investment: 50_000_000n });
});

test('a plan redeemed twenty times at once gives its money back once', async () => {
  const { memberId, id } = await memberWithPlan();
  const results = await together(...times(20, () => redeemPlan(world.context, memberId, id)));
  expect(codes(results)).toEqual(Array(19).fill('plan_redeemed'));
  expect(await balances(memberId)).toMatchObject({ primary: 50_000_000n, investment: 0n });
});

test('pausing, resuming and redeeming at once end in one of these, and no money is lost', async () => {
  const { memberId, id } = await memberWithPlan();
  await together(
    ...times(5, () => pausePlan(world.context, memberId, id)),
    ...times(5, () => resumePlan(world.context, memberId, id)),
    ...times(5, () => redeemPlan(world.context, memberId, id)),
  );
  const { plan } = await getPlan(world.context.db, memberId, id);
  expect(plan).toMatchObject({ state: 'redeemed', redeemed: 50 });
  expect(await balances(memberId)).toMatchObject({ primary: 50_000_000n, investment: 0n });
});

test('members who redeem, pause and change while a session opens: each plan either trades or was changed before', async () => {
  const plans = await Promise.all(Array.from({ length: 12 }, () => memberWithPlan()));
  const change = async () => {
    await together(
      ...plans.map(({ memberId, id }, index) =>
        index % 2 === 0 ? () => redeemPlan(world.context, memberId, id) : () => pausePlan(world.context, memberId, id),
      ),
    );
  };
  const follow = () => Promise.all([followMarket(world.context), followMarket(world.context), change()]);
  await playUntil(world.context, '2026-03-03T12:29:59Z', () => followMarket(world.context));
  await playUntil(world.context, '2026-03-03T12:31:00Z', follow);
  for (const { memberId, id } of plans) {
    const { plan } = await getPlan(world.context.db, memberId, id);
    const trades = (await listTrades(world.context.db, { memberId, limit: 10 })).items;
    expect(trades).toHaveLength(plan.state === 'active' ? 1 : 0);
  }
  await playUntil(world.context, '2026-03-03T17:31:00Z', () => followMarket(world.context));
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 60_000);

test('stops set, removed and closed by hand while ticks cross them: every trade is sold once', async () => {
  const plans = await Promise.all(Array.from({ length: 8 }, () => memberWithPlan()));
  await playUntil(world.context, '2026-03-04T12:31:00Z', () => followMarket(world.context));
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
      together(
        ...trades.flatMap(({ memberId, id }, index) => [
          () => setTradeStops(world.context, memberId, id, { stop_loss: 0.1, take_profit: 2, trailing_stop: 1 }),
          () => setTradeStops(world.context, memberId, id, { stop_loss: null, take_profit: 2.5, trailing_stop: null }),
          ...(index % 3 === 0 ? [() => closeTrade(world.context, memberId, id)] : []),
        ]),
      ),
    ]);
  await playUntil(world.context, '2026-03-04T12:50:00Z', follow);
  await playUntil(world.context, '2026-03-04T17:31:00Z', () => followMarket(world.context));
  for (const { memberId, id } of plans) {
    const { plan } = await getPlan(world.context.db, memberId, id);
    const { investment, trade_escrow, primary, profit } = await balances(memberId);
    expect(BigInt(Math.round(plan.principal * 1e6))).toBe(investment);
    expect([trade_escrow, primary, profit]).toEqual([0n, 0n, 0n]);
  }
  expect(await verifyLedger(world.context.db)).toEqual([]);
}, 60_000);
