import { Decimal } from 'decimal.js';
import { expect, inject, test } from 'vitest';
import { symbols } from '#contract/rules.ts';
import type { Trade } from '#contract/trading/trading.ts';
import { getBalances, getHouseBalances, verifyLedger } from '#server/ledger/index.ts';
import { bootTest } from '#test/boot.ts';
import { giveFunds, signUp } from '#test/members.ts';
import { playUntil } from '#test/recorded-market.ts';
import { openMinutes, openQuarters, type Recording, readRows } from '#test/recordings.ts';
import { closeTrade, followMarket, listTrades, placeTrade } from '../index.ts';

const Exact = Decimal.clone({ precision: 80 });

type Tick = { atMs: number; price: string };

/** The recording of one coin as ticks: open, low and high (high and low in a falling candle), close, a quarter each. */
const readTicks = ({ folder, stepMs }: Recording, symbol: string): Tick[] =>
  readRows(folder, symbol).flatMap(({ at, open, high, low, close }) => {
    const middle = Number(close) < Number(open) ? [high, low] : [low, high];
    return [open, ...middle, close].map((price, index) => ({ atMs: at + (index * stepMs) / 4, price }));
  });

/** What a trade must come to, from the ticks alone. */
function expectResult(
  ticks: Tick[],
  trade: { amount: number; requestedMs: number; closeRequestedMs?: number },
  closesMs: number,
) {
  const firstAfter = (ms: number) => ticks.find((tick) => tick.atMs > ms) as Tick;
  const round = (price: Decimal) => price.toDecimalPlaces(12, Decimal.ROUND_HALF_UP);
  const opening = firstAfter(trade.requestedMs);
  const closing = trade.closeRequestedMs === undefined ? undefined : firstAfter(trade.closeRequestedMs);
  const open = round(new Exact(opening.price).times('1.0005'));
  const close = round(new Exact(closing?.price ?? averageOf(ticks, closesMs - 60_000, closesMs)).times('0.9995'));
  const amount = new Exact(trade.amount).times(1e6);
  const fee = amount.times('0.004').floor();
  const proceeds = amount.minus(fee).times(close).div(open).floor();
  const performance = Decimal.max(0, proceeds.minus(amount)).times('0.1').floor();
  const dollars = (micros: Decimal) => micros.div(1e6).toNumber();
  return {
    state: 'settled',
    opened_at: new Date(opening.atMs).toISOString(),
    closed_at: new Date(closing?.atMs ?? closesMs).toISOString(),
    close_reason: closing === undefined ? 'session_close' : 'close_now',
    open_price: open.toNumber(),
    close_price: close.toNumber(),
    fee: dollars(fee),
    gross: dollars(proceeds.minus(amount.minus(fee))),
    performance_fee: dollars(performance),
    result: dollars(proceeds.minus(amount).minus(performance)),
  };
}

/** Time-weighted: each mark counts for as long as it held. */
function averageOf(ticks: Tick[], fromMs: number, toMs: number): Decimal {
  const first = ticks.findLastIndex((tick) => tick.atMs <= fromMs);
  const held = ticks.slice(first).filter((tick) => tick.atMs < toMs);
  const weighted = held.map((tick, index) => {
    const untilMs = held[index + 1]?.atMs ?? toMs;
    return new Exact(tick.price).times(untilMs - Math.max(tick.atMs, fromMs));
  });
  return Decimal.sum(...weighted).div(toMs - fromMs);
}

test.each([
  { step: 'minutes', openRecording: openMinutes, session: 2 },
  { step: 'quarters of an hour', openRecording: openQuarters, session: 12 },
])('a recorded session of $step comes to what the candles say, coin by coin', async ({ openRecording, session }) => {
  const recording = openRecording(inject('recordings'));
  const day = new Date(recording.opens[session] as number).toISOString().slice(0, 10);
  const at = (time: string) => Date.parse(`${day}T${time}Z`);
  const { context, database } = await bootTest({
    MARKET_FEED: 'replay',
    REPLAY_DATA: recording.folder,
    MARKET_START: `${day}T12:20:00Z`,
    MARKET_SPEED: '600',
  });
  const { memberId } = await signUp(context);
  await giveFunds(context, memberId, 100_000_000_000n);
  const play = (time: string) => playUntil(context, new Date(at(time)), () => followMarket(context));
  const expected = new Map<string, object>();
  const place = async (symbol: string, amount: number, times: { requestedMs: number; closeRequestedMs?: number }) => {
    const trade = await placeTrade(context, memberId, { tradeId: symbol, amount, wallet_type: 'primary' });
    expected.set(trade.id, {
      symbol,
      amount,
      ...expectResult(readTicks(recording, symbol), { amount, ...times }, at('17:30:00')),
    });
    return trade.id;
  };

  // Before the opening each coin is asked for, so that its tick of 12:30:00 opens it; two more come in the session.
  for (const [index, symbol] of symbols.entries())
    await place(symbol, 17.654321 + index * 101, { requestedMs: at('12:29:59.999') });
  await play('14:07:05');
  await place('sol', 1234.567891, { requestedMs: at('14:07:05') });
  await play('15:00:00');
  const closing = await place('doge', 999.999999, { requestedMs: at('15:00:00'), closeRequestedMs: at('16:40:01') });
  await play('16:40:01');
  await closeTrade(context, memberId, BigInt(closing));
  await play('17:30:00');

  const { items } = await listTrades(context.db, { memberId, limit: 100 });
  expect(Object.fromEntries(items.map((trade) => [trade.id, pick(trade, expected.get(trade.id) as object)]))).toEqual(
    Object.fromEntries(expected),
  );
  const results = items.reduce((sum, trade) => sum + BigInt(Math.round((trade.result as number) * 1e6)), 0n);
  const { primary, profit, trade_escrow } = await getBalances(context.db, memberId);
  expect([primary + profit, trade_escrow]).toEqual([100_000_000_000n + results, 0n]);
  expect((await getHouseBalances(context.db)).venue).toBe(0n);
  expect(await verifyLedger(context.db)).toEqual([]);
  await database.close();
});

const pick = (trade: Trade, like: object) =>
  Object.fromEntries(Object.keys(like).map((key) => [key, trade[key as keyof Trade]]));
