import { expect, test } from 'vitest';
import type { TradeDetail } from '#contract/trading/trade-detail.ts';
import { advanceMarket } from '#server/market/index.ts';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { type RecordedCandle, still } from '#test/recorded/recorded-market.ts';
import { testApp } from '#test/worlds/app.ts';
import { openTradingWorld } from '#test/worlds/trading-world.ts';
import { closeTrade, followMarket, mountTrading } from '../index.ts';
import { setTradeStops } from '../stops/set-trade-stops.ts';

/**
 * btc stands at 100, from 15:00 at 110, and moves in the last minute: 110, 108, 112, 111, a quarter each, 110.25 on average.
 * eth stands at 50, falls to 48 at 13:30. Four days in all, so that ticks are forgotten.
 */
function candle(symbol: string, at: Date): RecordedCandle {
  const time = at.toISOString().slice(11, 16);
  if (symbol === 'eth') return still(time < '13:30' ? '50' : '48');
  if (time < '15:00') return still('100');
  return time === '17:29' ? ['110', '112', '108', '111'] : still('110');
}
const world = closeAfterAll(
  await openTradingWorld({ from: '2026-03-04T00:00:00Z', minutes: 6 * 1440, candle, speed: 300 }),
);
const ids: Record<string, string> = {};

const app = closeAfterAll(await testApp(world.context, mountTrading));
const bob = await world.member('Bob', 0);

const place = async (name: string, tradeId: string, amount: number, stops = {}) => {
  ids[name] = (await world.place({ tradeId, amount, ...stops })).id;
};
const ask = (name: string, token = world.ann.token) => app.ask('GET', `trading/${ids[name]}`, { token });
const detail = async (name: string): Promise<TradeDetail> => (await ask(name)).body.data;
const kinds = ({ events }: TradeDetail) => events.map(({ kind }) => kind);

test('a queued trade shows its placement and its single transfer, and no prices of its own yet', async () => {
  await place('held', 'btc', 250);
  const queued = await detail('held');
  expect(queued).toMatchObject({
    trade: { state: 'queued', amount: 250 },
    rates: null,
    opening: null,
    closing: null,
    average: null,
    net: null,
    quantity: null,
    proceeds: null,
    decisions: [],
  });
  expect(queued.events).toEqual([
    {
      kind: 'placed',
      at: '2026-03-04T12:20:00.000Z',
      mark: 100,
      words: 'You placed the trade. The amount moved from your wallet into the trade.',
    },
  ]);
  expect(queued.transfers).toEqual([
    expect.objectContaining({ from: 'primary', to: 'trade_escrow', amount: 250, from_balance_after: 750 }),
  ]);
});

test('an open trade says at what it was bought, of which mark and spread, and what selling it now would give', async () => {
  await place('stopped', 'eth', 100, { stop_loss: 3 });
  await place('taken back', 'eth', 10);
  await app.ask('POST', `trading/${ids['taken back']}/cancel`, { token: world.ann.token });
  await world.createPlan({ amount: 50 });
  await world.play('2026-03-04T13:00:00Z');
  expect(await detail('held')).toMatchObject({
    rates: { trade_bps: 40, performance_bps: 1000 },
    opening: { at: '2026-03-04T12:30:00.000Z', mark: '100', spread_bps: 10, price: '100.05', mark_source: 'stored' },
    closing: null,
    net: 249,
    quantity: '2.488755622188',
    // 249 × 99.95 ÷ 100.05.
    proceeds: 248.751124,
  });
});

test('its prices are drawn from its ticks while they are all kept', async () => {
  const { chart } = await detail('held');
  if (chart.kind !== 'ticks') throw new Error('candles');
  expect(chart.ticks.at(-1)?.time).toBe('2026-03-04T13:00:00.000Z');
  expect(chart.ticks.every(({ price }) => price === 100)).toBe(true);
});

test('a triggered stop is a step of its own, with the mark that triggered it; it was sold at the next', async () => {
  await setTradeStops(world.context, world.memberId, BigInt(ids.stopped as string), {
    stop_loss: 3.5,
    take_profit: null,
    trailing_stop: null,
  });
  await world.play('2026-03-04T13:40:00Z');
  const stopped = await detail('stopped');
  expect(kinds(stopped)).toEqual(['placed', 'opened', 'stops_set', 'close_asked', 'closed']);
  expect(stopped.events.slice(3)).toMatchObject([
    { at: '2026-03-04T13:30:00.000Z', mark: 48, words: 'The mark price reached the stop-loss.' },
    { at: '2026-03-04T13:30:15.000Z', mark: 48, words: 'Sold at the next price.' },
  ]);
  expect(stopped).toMatchObject({
    closing: { mark: '48', spread_bps: 10, price: '47.976', mark_source: 'stored' },
    average: null,
  });
});

test('a cancelled trade says why, and that all went back', async () => {
  const cancelled = await detail('taken back');
  expect(kinds(cancelled)).toEqual(['placed', 'cancelled']);
  expect(cancelled.events[1]?.words).toBe('You cancelled the trade. The full amount was returned.');
  expect(cancelled.transfers.map(({ from, to, amount }) => [from, to, amount])).toEqual([
    ['primary', 'trade_escrow', 10],
    ['trade_escrow', 'primary', 10],
  ]);
});

test('the closing mark comes with the marks it is the average of, each with its time', async () => {
  await place('closed', 'btc', 100);
  await world.play('2026-03-04T15:10:00Z');
  await closeTrade(world.context, world.memberId, BigInt(ids.closed as string));
  await world.play('2026-03-04T17:30:00Z');
  const held = await detail('held');
  expect(held.closing).toMatchObject({ mark: '110.25', spread_bps: 10, price: '110.194875', mark_source: 'stored' });
  expect(held.average).toEqual({
    minute: 'session_close',
    from: '2026-03-04T17:29:00.000Z',
    to: '2026-03-04T17:30:00.000Z',
    parts: ['110', '108', '112', '111'].map((price) => ({ price, ms: 15_000 })),
  });
});

/** Every figure from amount, rates and prices alone, in integers of 10⁻⁶ dollar and 10⁻¹² of a price. */
function recompute({ trade, rates, opening, closing }: TradeDetail) {
  if (!rates || !opening || !closing) throw new Error('not settled');
  const units = (text: string) => {
    const [whole = '', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(12, '0'));
  };
  const micros = (dollars: number) => BigInt(Math.round(dollars * 1e6));
  const halfUp = (numerator: bigint, denominator: bigint) => (numerator + denominator / 2n) / denominator;
  const openPrice = halfUp(units(opening.mark) * (20_000n + BigInt(opening.spread_bps)), 20_000n);
  const closePrice = halfUp(units(closing.mark) * (20_000n - BigInt(closing.spread_bps)), 20_000n);
  const amount = micros(trade.amount);
  const fee = (amount * BigInt(rates.trade_bps)) / 10_000n;
  const net = amount - fee;
  const proceeds = (net * closePrice) / openPrice;
  const over = proceeds > amount ? proceeds - amount : 0n;
  const performanceFee = (over * BigInt(rates.performance_bps)) / 10_000n;
  const dollars = (value: bigint) => Number(value) / 1e6;
  return {
    fee: dollars(fee),
    net: dollars(net),
    proceeds: dollars(proceeds),
    gross: dollars(proceeds - net),
    performance_fee: dollars(performanceFee),
    result: dollars(proceeds - amount - performanceFee),
    openPrice,
    closePrice,
    opened: units(opening.price),
    closed: units(closing.price),
  };
}

test('the number of every settled trade can be computed again from what is shown, and its transfers come to it', async () => {
  for (const name of ['held', 'stopped', 'closed']) {
    const shown = await detail(name);
    const own = recompute(shown);
    expect([own.openPrice, own.closePrice]).toEqual([own.opened, own.closed]);
    expect({ ...shown.trade, net: shown.net, proceeds: shown.proceeds }).toMatchObject({
      fee: own.fee,
      net: own.net,
      proceeds: own.proceeds,
      gross: own.gross,
      performance_fee: own.performance_fee,
      result: own.result,
    });
    const isOwn = (account: string) => ['primary', 'profit'].includes(account);
    const changed = shown.transfers.reduce(
      (sum, { from, to, amount }) => sum + (isOwn(to) ? amount : 0) - (isOwn(from) ? amount : 0),
      0,
    );
    expect(changed).toBeCloseTo(shown.trade.result as number, 6);
    expect(shown.transfers.flatMap(({ from, to }) => [from, to])).not.toContain('gateway');
  }
});

test('a plan’s trade names its plan, and why its strategy bought', async () => {
  const { body } = await app.ask('GET', 'trading/fetch-user-trade?state=settled', { token: world.ann.token });
  const own = body.data.items.find((trade: { plan_id: string | null }) => trade.plan_id !== null);
  ids.plan = own.id;
  const shown = await detail('plan');
  expect(shown.trade).toMatchObject({ wallet_type: 'investment', plan_id: own.plan_id });
  expect(shown.events[0]?.words).toBe('Placed by your plan.');
  expect(shown.decisions).toMatchObject([
    { side: 'entry', reason: 'session_opens', words: 'Bought: the session opens.' },
  ]);
  expect(shown.transfers[0]).toMatchObject({ from: 'investment', to: 'trade_escrow', amount: 50 });
});

test('when ticks are forgotten the prices stay, the chart is of candles, and what was not kept is said to be unknown', async () => {
  const before = await detail('held');
  await advanceMarket(world.context, { elapsedMs: 0, skipTo: new Date('2026-03-08T12:20:00Z') });
  await followMarket(world.context);
  const after = await detail('held');
  expect(after.chart).toMatchObject({ kind: 'candles', interval: '15m' });
  expect(after.opening).toEqual({ ...before.opening, mark_source: 'derived' });
  expect(after.closing).toEqual(before.closing);
  expect(after.average).toEqual({ ...before.average, parts: null });
  expect(after.events.map(({ mark }) => mark)).toEqual([null, null, null]);
  expect({ ...after.trade, transfers: after.transfers }).toEqual({ ...before.trade, transfers: before.transfers });
});

test('somebody else’s trade, and one that is none, do not exist', async () => {
  const { status, body } = await ask('held', bob.token);
  expect([status, body.code]).toEqual([404, 'trade_not_found']);
  const none = await app.ask('GET', 'trading/999999', { token: world.ann.token });
  expect([none.status, none.body.code]).toEqual([404, 'trade_not_found']);
});

test('the addresses beside it are not taken for ids', async () => {
  for (const path of ['trading/portfolio', 'trading/fetch-user-trade', 'trading/session'])
    expect((await app.ask('GET', path, { token: world.ann.token })).status).toBe(200);
});
