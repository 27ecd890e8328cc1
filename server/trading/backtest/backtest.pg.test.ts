import { expect, test } from 'vitest';
import type { BacktestResult } from '#contract/trading/backtest.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { makeCandles } from '#test/recorded/made-candles.ts';
import { still } from '#test/recorded/recorded-market.ts';
import { testApp } from '#test/worlds/app.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { mountTrading } from '../routes.ts';
import { openRecordedMarket, runBacktest, simulateBacktest } from './run-backtest.ts';

const FROM = '2026-03-01T00:00:00Z';

/** Four days of minutes: each quarter of an hour opens where its minutes begin and closes where they end. */
const quarters = new Map(['btc', 'eth'].map((symbol, seed) => [symbol, makeCandles(FROM, 4 * 96, seed + 21)] as const));
const world = closeAfterAll(
  await openTradingWorld({
    from: FROM,
    minutes: 4 * 24 * 60,
    candle: (symbol, at) => {
      const index = Math.floor((at.getTime() - Date.parse(FROM)) / 900_000);
      const { open, high, low, close } = (quarters.get(symbol) ?? [])[index] as ReturnType<typeof makeCandles>[number];
      const isFirst = at.getUTCMinutes() % 15 === 0;
      return isFirst ? [String(open), String(high), String(low), String(close)] : still(String(close));
    },
  }),
);

const app = closeAfterAll(await testApp(world.context, mountTrading));
await world.play('18:00:00', async () => {});

const fine = {
  strategy: 'momentum' as const,
  params: { period: 5 },
  symbols: ['btc', 'eth'],
  from: '2026-03-01',
  to: '2026-03-10',
  amount: 1000,
};
const order = { ...fine, wallet_type: 'primary' as const, compounding: false };
const ask = (body: unknown) => app.ask('POST', 'trading/backtest', { body, token: world.ann.token });

test('the answer covers the sessions that have closed, says what market it is of, and agrees with itself', async () => {
  const { status, body } = await ask(fine);
  expect(status).toBe(200);
  const result: BacktestResult = body.data;
  expect(result).toMatchObject({ market_label: 'Replay', params: { period: 5 }, from: '2026-03-01', to: '2026-03-04' });
  expect(result.sessions).toHaveLength(4);
  expect(result.stats.trades).toBeGreaterThan(3);
  const cents = (dollars: number) => Math.round(dollars * 1e6);
  const sum = (values: number[]) => values.reduce((total, value) => total + cents(value), 0);
  expect(sum(result.trades.map((trade) => trade.result))).toBe(cents(result.stats.result));
  expect(sum(result.sessions.map((session) => session.result))).toBe(cents(result.stats.result));
  expect(sum(result.assets.map((asset) => asset.result))).toBe(cents(result.stats.result));
  expect(cents(result.equity.at(-1)?.value ?? 0)).toBe(cents(1000) + cents(result.stats.result));
});

test('the same comes of the recorded folder by itself', async () => {
  const stored = await runBacktest(world.context, world.memberId, order);
  const market = await openRecordedMarket(world.context.config.market);
  expect(await simulateBacktest({ ...order, to: '2026-03-04' }, market)).toEqual(stored);
});

test('a strategy without parameters, with stops and compounding, is answered, too', async () => {
  const { params: _, ...rest } = fine;
  const stops = { stop_loss: 1, take_profit: 1.5, trailing_stop: 0.5 };
  const { status, body } = await ask({ ...rest, strategy: 'session_hold', compounding: true, ...stops });
  expect(status).toBe(200);
  expect(body.data.trades.map((trade: BacktestResult['trades'][number]) => trade.exit.code)).toEqual(
    expect.arrayContaining([expect.stringMatching(/stop|profit/)]),
  );
});

test.each([
  ['an asset that does not exist', { symbols: ['btc', 'nope'] }, 404, 'asset_not_found', undefined],
  ['a period without prices', { from: '2025-01-01', to: '2025-02-01' }, 422, 'backtest_no_prices', 'from'],
  ['a period that has not begun', { from: '2026-03-05' }, 422, 'backtest_no_prices', 'from'],
  ['an asset whose recording is missing', { symbols: ['sol'] }, 422, 'backtest_no_prices', 'from'],
  ['less than the minimum for each asset', { amount: 9.999998 }, 422, 'backtest_under_minimum', 'amount'],
  ['401 days', { from: '2025-02-03' }, 422, 'validation', 'to'],
  ['a parameter of another strategy', { params: { atr_multiple: 2 } }, 422, 'validation', 'params'],
])('%s is refused', async (_, change, status, code, field) => {
  const answer = await ask({ ...fine, ...change });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  if (field !== undefined) expect(JSON.stringify(answer.body)).toContain(`"${field}"`);
});

test('the minimum is that of the wallet', async () => {
  expect((await ask({ ...fine, amount: 2, wallet_type: 'profit' })).status).toBe(200);
  expect((await ask({ ...fine, amount: 1.999998, wallet_type: 'profit' })).body.code).toBe('backtest_under_minimum');
});

test('one at a time for each member: the second is refused, the next one after it is not', async () => {
  const bob = await world.member('Bob');
  const first = runBacktest(world.context, world.memberId, order);
  await expect(runBacktest(world.context, world.memberId, order)).rejects.toMatchObject({ code: 'backtest_running' });
  await expect(runBacktest(world.context, bob.memberId, order)).resolves.toMatchObject({ from: '2026-03-01' });
  await first;
  await expect(runBacktest(world.context, world.memberId, order)).resolves.toMatchObject({ from: '2026-03-01' });
});

test('after one that was refused the member can ask again at once', async () => {
  const nothing = { ...order, from: '2025-01-01', to: '2025-01-02' };
  await expect(runBacktest(world.context, world.memberId, nothing)).rejects.toMatchObject({
    code: 'backtest_no_prices',
  });
  await expect(runBacktest(world.context, world.memberId, order)).resolves.toBeTruthy();
});
