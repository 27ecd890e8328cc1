import { expect, test } from 'vitest';
import { inTransaction } from '#server/db/tx.ts';
import { post, type Transfer } from '#server/ledger/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { giveFunds } from '#test/worlds/members.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { getPortfolio } from './get-portfolio.ts';
import { getWalletBalance, getWalletSummary, getWallets } from './get-wallet.ts';

/** btc rises from 100 to 120 at 13:00, eth falls from 50 to 45. */
const world = closeAfterAll(
  await openTradingWorld({
    candle: (symbol, at) =>
      still(symbol === 'btc' ? (at.getUTCHours() < 13 ? '100' : '120') : at.getUTCHours() < 13 ? '50' : '45'),
    dollars: 0,
  }),
);
const { memberId } = world;

const db = () => world.context.db;
const place = (tradeId: string, amount: number, wallet: 'primary' | 'profit' = 'primary') =>
  world.place({ tradeId, amount, wallet_type: wallet });
type Class = 'primary' | 'profit' | 'withdrawal_hold';
const own = (name: Class) => ({ memberId, class: name }) as const;
type Line = readonly [
  key: string,
  from: Transfer['from'],
  to: Transfer['to'],
  dollars: number,
  reason: Transfer['reason'],
];
/** Keys begin with the reference. */
const move = (...lines: Line[]) =>
  inTransaction(db(), (tx) =>
    post(
      tx,
      lines.map(([key, from, to, dollars, reason]) => {
        const [reference = ''] = key.split('/');
        return {
          key,
          from,
          to,
          amountMicros: BigInt(dollars) * 1_000_000n,
          reason,
          reference,
          marketAt: world.context.now(),
        };
      }),
    ),
  );

test('a new member has nothing, and every figure says so', async () => {
  expect(await getWalletBalance(db(), memberId)).toEqual({ primary_wallet: 0, profit_wallet: 0 });
  expect(await getWallets(db(), memberId)).toEqual({
    primary: { balance: 0n, inTrades: 0n },
    profit: { balance: 0n, inTrades: 0n },
  });
  const portfolio = await getPortfolio(world.context, memberId);
  expect(portfolio).toMatchObject({ net_worth: 0, positions: [], allocation: [], realised_by_day: [] });
  expect(portfolio.totals).toMatchObject({ trades: 0, realised: 0, best: null, worst: null, negative_members: null });
});

test('what is held for withdrawals is in no wallet, and comes back when it is released', async () => {
  await giveFunds(world.context, memberId, 1_000_000_000n);
  const [primary, profit, hold] = [own('primary'), own('profit'), own('withdrawal_hold')];
  await move(
    ['x', { class: 'adjustments' }, profit, 100, 'correction'],
    ['WD-1/hold', primary, hold, 50, 'withdrawal_hold'],
    ['WD-2/hold', profit, hold, 20, 'withdrawal_hold'],
    ['WD-3/hold', primary, hold, 10, 'withdrawal_hold'],
  );
  expect(await getWallets(db(), memberId)).toMatchObject({
    primary: { balance: 940_000_000n },
    profit: { balance: 80_000_000n },
  });
  await move(
    ['WD-1/paid', hold, { class: 'gateway' }, 49, 'withdrawal_payout'],
    ['WD-1/fee', hold, { class: 'withdrawal_fees' }, 1, 'withdrawal_fee'],
    ['WD-2/release', hold, profit, 20, 'withdrawal_release'],
  );
  expect(await getWallets(db(), memberId)).toMatchObject({
    primary: { balance: 940_000_000n },
    profit: { balance: 100_000_000n },
  });
});

test('amounts in trades are those placed, fee included, by wallet', async () => {
  await place('btc', 200);
  await place('eth', 100);
  await place('btc', 30, 'profit');
  await world.play('12:59:00');
  await place('eth', 40);
  expect(await getWallets(db(), memberId)).toEqual({
    primary: { balance: 600_000_000n, inTrades: 340_000_000n },
    profit: { balance: 70_000_000n, inTrades: 30_000_000n },
  });
});

test('the summary adds up over the life of the account, open results in the net worth', async () => {
  await world.play('13:01:00');
  // btc: 199.2 and 29.88 bought at 100.05, sold at 119.94 for 238.801079 and 35.820161; eth: 99.6 and 39.84 at 50.025
  // (opened at 12:59:15, before the fall) sold at 44.9775 for 89.550404 and 35.820161. Performance fees 3.880107, 0.582016.
  const sold = 238.801079 + 35.820161 + 89.550404 + 35.820161;
  const summary = await getWalletSummary(db(), memberId);
  expect(summary).toMatchObject({
    deposited: 1000,
    withdrawn: 50,
    in_trades: 370,
    invested: 0,
    on_hold: 10,
    traded_volume: 0,
    realised: 0,
    fees_paid: 1.48,
    income: 0,
  });
  expect(summary.net_worth).toBeCloseTo(600 + 70 + 10 + sold - 3.880107 - 0.582016, 6);
});

test('the portfolio shows positions with live results, and where everything is', async () => {
  const portfolio = await getPortfolio(world.context, memberId);
  expect(portfolio.positions.map(({ symbol, amount, live }) => [symbol, amount, live])).toEqual([
    ['eth', 40, { price: 45, result: -4.179839 }],
    ['btc', 30, { price: 120, result: 5.238145 }],
    ['eth', 100, { price: 45, result: -10.449596 }],
    ['btc', 200, { price: 120, result: 34.920972 }],
  ]);
  expect(portfolio.allocation.map(({ label, value }) => [label, value])).toEqual([
    ['Primary wallet', 600],
    ['btc/usdt', 270.159117],
    ['eth/usdt', 125.370565],
    ['Profit wallet', 70],
    ['On hold', 10],
  ]);
  expect(portfolio.allocation.reduce((sum, part) => sum + part.value, 0)).toBeCloseTo(portfolio.net_worth, 6);
  expect(portfolio.equity).toMatchObject([
    { time: '2026-03-04T13:01:00.000Z', value: portfolio.net_worth, put_in: 950, drawdown: 0 },
  ]);
  expect(portfolio.totals).toMatchObject({ fees_paid: 1.48, trades: 0 });
});

test('after the session what was open is realised, and the net worth stays what selling then gave', async () => {
  const before = (await getPortfolio(world.context, memberId)).net_worth;
  await world.play('17:30:00');
  const summary = await getWalletSummary(db(), memberId);
  expect(summary.net_worth).toBe(before);
  expect(summary).toMatchObject({ in_trades: 0, traded_volume: 370, fees_paid: 5.942123, withdrawn: 50, on_hold: 10 });
  // Gains and losses of the four trades: 34.920972 + 5.238145 − 10.449596 − 4.179839.
  expect(summary.realised).toBe(25.529682);
  const { totals, equity } = await getPortfolio(world.context, memberId);
  expect(totals).toMatchObject({ trades: 4, winning: 2, losing: 2, negative_members: 0 });
  expect([totals.best?.result, totals.worst?.result]).toEqual([34.920972, -10.449596]);
  expect(equity[0]).toMatchObject({ time: '2026-03-04T17:30:00.000Z', value: before, put_in: 950 });
});

test('what is in plans is said of all of them, though the newest 100 alone are listed', async () => {
  const { memberId: planner } = await world.member('Planner', 1010);
  for (let made = 0; made < 101; made += 1) await world.createPlan({ amount: 10 }, planner);
  const { plans, in_plans: inPlans } = await getPortfolio(world.context, planner);
  expect([plans.length, inPlans]).toEqual([100, 1010]);
});
