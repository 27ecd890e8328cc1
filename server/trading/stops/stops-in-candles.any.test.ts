import { expect, onTestFinished, test } from 'vitest';
import { backtestOrder } from '#contract/trading/backtest.ts';
import type { StopPercents } from '#contract/trading/stops.ts';
import type { Context } from '#server/context.ts';
import { verifyLedger } from '#server/ledger/index.ts';
import { advanceMarket, pollPrices } from '#server/market/index.ts';
import { killAtEveryQuery } from '#test/database/kill-at-every-query.ts';
import { startCoingecko } from '#test/fake-servers/coingecko.ts';
import { bootTest } from '#test/kit/boot.ts';
import type { MadeCandle } from '#test/recorded/made-candles.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { micros, recompute, STEP } from '#test/worlds/backtest-model.ts';
import { giveFunds, signUp } from '#test/worlds/members.ts';
import { DAY, openWorldOfTest } from '#test/worlds/trading-world.ts';
import { openStoredMarket, simulateBacktest } from '../backtest/run-backtest.ts';
import { closeTrade, followMarket, getTrade, placeTrade, setTradeStops } from '../index.ts';

const at = (time: string) => new Date(`${DAY}T${time}Z`);
const FROM = at('12:00:00');
const QUARTERS = 24;

/** Open, high, low and close of quarters of an hour; others stand still at the close before, and `null` is missing. */
type Quarters = Readonly<Record<string, RecordedCandle>>;
type Case = { readonly stops: Partial<StopPercents>; readonly quarters: Quarters; readonly sold: [string, string] };

/** Every trade is bought at 100.05 at 12:30; a stop-loss of 5 % is at 95.0475. */
const cases: Record<string, Case> = {
  // Rising, the market plays the low first: the next tick is the high, 110.
  btc: {
    stops: { stop_loss: 5 },
    quarters: { '12:30': ['100', '110', '90', '105'] },
    sold: ['stop_loss', '94.999976250000'],
  },
  // Rising, with both in one candle.
  eth: {
    stops: { stop_loss: 5, take_profit: 8 },
    quarters: { '12:30': ['100', '110', '90', '105'] },
    sold: ['stop_loss', '94.999976250000'],
  },
  // Falling: the take-profit is asked for at the first extreme, and gives way to the loss at the second.
  bch: {
    stops: { stop_loss: 5, take_profit: 8 },
    quarters: { '12:30': ['100', '110', '90', '96'] },
    sold: ['stop_loss', '94.999976250000'],
  },
  // The low is measured from the candle's own high, though the market plays the low first: 110 − 5 % = 104.5.
  sol: {
    stops: { trailing_stop: 5 },
    quarters: { '13:00': ['106', '110', '104', '108'] },
    sold: ['trailing_stop', '104.447750000000'],
  },
  // Measured from the highest mark before the candle: 110 − 5 %, not 112 − 5 %.
  xrp: {
    stops: { trailing_stop: 5 },
    quarters: { '13:00': ['106', '110', '106', '110'], '13:15': ['110', '112', '104.4', '105'] },
    sold: ['trailing_stop', '104.447750000000'],
  },
  // A gap over the level: what was seen at the open counts, as the next one is better.
  doge: {
    stops: { stop_loss: 5 },
    quarters: { '13:00': ['80', '90', '78', '88'] },
    sold: ['stop_loss', '79.960000000000'],
  },
  // The next open is under the level.
  ada: {
    stops: { stop_loss: 5 },
    quarters: { '13:00': ['100', '100', '94', '94'], '13:15': ['85', '101', '85', '99'] },
    sold: ['stop_loss', '84.957500000000'],
  },
  // The next candle is missing.
  trx: {
    stops: { stop_loss: 5 },
    quarters: { '13:00': ['100', '100', '94', '99'], '13:15': null, '13:30': still('99') },
    sold: ['stop_loss', '94.999976250000'],
  },
  // In the last candle of the session: the closing mark is the next open.
  uni: {
    stops: { stop_loss: 5 },
    quarters: { '17:15': ['100', '100', '94', '99'] },
    sold: ['stop_loss', '94.999976250000'],
  },
  // No better than its level: 100.05 + 3 % = 103.0515.
  link: {
    stops: { take_profit: 3 },
    quarters: { '13:00': ['100', '110', '99', '108'] },
    sold: ['take_profit', '102.999974250000'],
  },
  // A take-profit that the next open has left again.
  ltc: {
    stops: { take_profit: 3 },
    quarters: { '13:00': ['100', '110', '99', '101'], '13:15': still('101') },
    sold: ['take_profit', '100.949500000000'],
  },
  // Stop-loss and trailing stop at once: the stop-loss is named.
  fil: {
    stops: { stop_loss: 5, trailing_stop: 5 },
    quarters: { '13:00': ['100', '106', '94', '99'] },
    sold: ['stop_loss', '94.999976250000'],
  },
};

const noStops = { stop_loss: null, take_profit: null, trailing_stop: null };

function candlesOf(quarters: Quarters): RecordedCandle[] {
  let last = '100';
  return Array.from({ length: QUARTERS }, (_, index) => {
    const time = new Date(FROM.getTime() + index * STEP).toISOString().slice(11, 16);
    const named = quarters[time];
    if (named === null) return null;
    last = named?.[3] ?? last;
    return named ?? still(last);
  });
}

type Follow = (context: Context) => Promise<unknown>;

async function openWorld(
  markets: Readonly<Record<string, Quarters>>,
  { speed = 60, follow = followMarket }: { speed?: number; follow?: Follow } = {},
) {
  const world = await openWorldOfTest({
    from: FROM.toISOString(),
    minutes: QUARTERS * 15,
    stepMinutes: 15,
    symbols: Object.keys(markets),
    candle: (symbol, time) =>
      candlesOf(markets[symbol] as Quarters)[(time.getTime() - FROM.getTime()) / STEP] as RecordedCandle,
    speed,
    dollars: 10_000,
  });
  return {
    ...world,
    place: async (tradeId: string, stops: Partial<StopPercents>) =>
      BigInt((await world.place({ tradeId, amount: 250, ...stops })).id),
    play: (time: string) => world.play(time, () => follow(world.context)),
  };
}

const twice: Follow = (context) => Promise.all([followMarket(context), followMarket(context, { chunkSize: 2 })]);
const killed: Follow = (context) => killAtEveryQuery(context, (dying) => followMarket(dying, { chunkSize: 2 }));

test.each<[string, { speed: number; follow?: Follow }]>([
  ['every two minutes, so that the extremes of a candle come apart', { speed: 60 }],
  ['every two hours', { speed: 3600 }],
  ['by two workers at once', { speed: 240, follow: twice }],
  ['by a worker that is killed at every query', { speed: 1800, follow: killed }],
])(
  'a session of candles of 15 minutes sells stops as the backtest and an independent computation do, followed %s',
  async (_, way) => {
    const all = Object.entries(cases);
    const world = await openWorld(Object.fromEntries(all.map(([symbol, { quarters }]) => [symbol, quarters])), way);
    const ids = new Map<string, bigint>();
    for (const [symbol, { stops }] of all) ids.set(symbol, await world.place(symbol, stops));
    await world.play('12:25:00');
    await world.play('17:40:00');
    const market = await openStoredMarket(world.context);
    for (const [symbol, { stops, quarters, sold }] of all) {
      const id = ids.get(symbol) as bigint;
      const { trade, closing } = await getTrade(world.context, world.memberId, id);
      const [reason, price] = sold;
      expect({ symbol, reason: trade.close_reason, price: Number(closing?.price) }).toEqual({
        symbol,
        reason,
        price: Number(price),
      });
      const order = {
        ...noStops,
        ...stops,
        strategy: 'session_hold',
        params: {},
        symbols: [symbol],
        from: DAY,
        to: DAY,
      };
      const backtest = await simulateBacktest(backtestOrder.parse({ ...order, amount: 250 }), market);
      expect({ symbol, closed_at: trade.closed_at, result: trade.result }).toEqual({
        symbol,
        closed_at: backtest.trades[0]?.closed_at,
        result: backtest.trades[0]?.result,
      });
      expect(backtest.trades).toHaveLength(1);
      const computed = recompute({ candles: madeOf(quarters) }, DAY, DAY, micros(250), {
        strategy: 'session_hold',
        period: 0,
        multiple: 0,
        compounding: false,
        ...(stops.stop_loss == null ? {} : { stopLoss: stops.stop_loss }),
        ...(stops.take_profit == null ? {} : { takeProfit: stops.take_profit }),
        ...(stops.trailing_stop == null ? {} : { trailing: stops.trailing_stop }),
      }).trades;
      expect({ symbol, result: micros(trade.result as number), why: trade.close_reason }).toEqual({
        symbol,
        result: computed[0]?.result,
        why: computed[0]?.why,
      });
    }
    expect((await world.trade(ids.get('btc') as bigint))?.result).toBe(-13.568275);
    expect(await verifyLedger(world.context.db)).toEqual([]);
  },
  90_000,
);

const madeOf = (quarters: Quarters): MadeCandle[] =>
  candlesOf(quarters).flatMap((candle, index) => {
    if (candle === null) return [];
    const [open, high, low, close] = candle.map(Number) as [number, number, number, number];
    return [{ atMs: FROM.getTime() + index * STEP, open, high, low, close }];
  });

test('a trigger shows at its extreme, waits for the next candle and is explained by its level', async () => {
  const world = await openWorld({ btc: { '12:30': ['100', '110', '90', '105'] } });
  const id = await world.place('btc', { stop_loss: 5 });
  await world.play('12:33:45');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true, closing_cause: 'stop_loss' });
  await world.play('12:44:59');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: true });
  await world.play('12:45:00');
  expect(await world.trade(id)).toMatchObject({ state: 'settled', closed_at: '2026-03-04T12:45:00.000Z' });
  const { closing, events } = await getTrade(world.context, world.memberId, id);
  expect(closing).toMatchObject({ mark: '95.0475', spread_bps: 10, mark_source: 'derived' });
  expect(events.at(-1)?.words).toBe('Sold at the stop level, which was worse than the next price.');
});

test.each([
  ['stop-loss', { stop_loss: 5 }, { '12:30': ['100', '110', '90', '105'] }, 'stop_loss'],
  [
    'take-profit that turns into a loss',
    { stop_loss: 5, take_profit: 8 },
    { '12:30': ['100', '110', '90', '96'] },
    'stop_loss',
  ],
  [
    'trailing stop under the candle’s own high',
    { trailing_stop: 5 },
    { '12:30': ['106', '110', '104', '108'] },
    'trailing_stop',
  ],
] as const)(
  'Close now and a change of stops give way to a %s that waits to be followed',
  async (_, stops, quarters, cause) => {
    const world = await openWorld({ btc: quarters });
    const id = await world.place('btc', stops);
    await world.play('12:30:00');
    await advanceMarket(world.context, { elapsedMs: 0, skipTo: at('12:38:00') });
    expect(await closeTrade(world.context, world.memberId, id)).toMatchObject({ closing: true, closing_cause: cause });
    await expect(setTradeStops(world.context, world.memberId, id, noStops)).rejects.toMatchObject({
      code: 'trade_not_open',
    });
    await world.play('13:00:00');
    expect(await world.trade(id)).toMatchObject({ close_reason: cause, closed_at: '2026-03-04T12:45:00.000Z' });
  },
);

test('Close now before a trigger sells at the very next price, inside the candle too', async () => {
  const world = await openWorld({ btc: { '12:30': ['100', '110', '90', '105'] } });
  const id = await world.place('btc', { stop_loss: 5 });
  await world.play('12:32:00');
  await closeTrade(world.context, world.memberId, id);
  await world.play('12:45:00');
  expect(await world.trade(id)).toMatchObject({ close_reason: 'close_now', closed_at: '2026-03-04T12:33:45.000Z' });
});

test('of a candle only what came after the trade counts', async () => {
  const world = await openWorld({ btc: { '12:30': ['100', '110', '90', '105'], '12:45': still('105') } });
  await world.play('12:34:00');
  // Bought at the high of 12:37:30: the low of 12:33:45 was before, and 105 is the first mark to be compared.
  const id = await world.place('btc', { stop_loss: 3, trailing_stop: 4 });
  await world.play('12:40:00');
  expect(await world.trade(id)).toMatchObject({ state: 'open', closing: false });
  await world.play('12:45:00');
  expect(await world.trade(id)).toMatchObject({ close_reason: 'stop_loss', closed_at: '2026-03-04T12:45:00.000Z' });
});

test.each([
  ['a better one sells at the price that jumped over the level', 97, 93.953],
  ['a worse one sells at its own price', 93, 92.9535],
] as const)('each quote counts as an open, and the next one sells: %s', async (_, next, price) => {
  const node = await startCoingecko();
  const { context, database, clock } = await bootTest({ MARKET_FEED: 'coingecko', COINGECKO_URL: node.url });
  onTestFinished(async () => {
    await database.close();
    await node.close();
  });
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 1_000_000_000n);
  const quote = async (usd: number) => {
    clock.advance(299.75);
    node.prices.set('bitcoin', { usd, usd_24h_vol: 1, last_updated_at: Math.floor(clock.now().getTime() / 1000) });
    await advanceMarket(context, { elapsedMs: 0 });
    await pollPrices(context);
    clock.advance(0.25);
    await advanceMarket(context, { elapsedMs: 0 });
    await followMarket(context);
  };
  for (let minute = 0; minute < 25; minute += 5) await quote(100);
  const order = { tradeId: 'btc', amount: 100, wallet_type: 'primary', stop_loss: 5 } as const;
  const id = BigInt((await placeTrade(context, memberId, order)).id);
  const find = async () => (await getTrade(context, memberId, id)).trade;
  await quote(100);
  await quote(100);
  expect(await find()).toMatchObject({ state: 'open', open_price: 100.05 });
  await quote(94);
  expect(await find()).toMatchObject({ closing: true, closing_cause: 'stop_loss' });
  await quote(next);
  expect(await find()).toMatchObject({ state: 'settled', close_reason: 'stop_loss', close_price: price });
});
