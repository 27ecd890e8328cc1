import { beforeAll, describe, expect, test } from 'vitest';
import { calibrations, jumpSize } from './calibration.ts';
import { aggregateCandles, type FeedCandle } from './candle.ts';
import { createRandomMarket, type RandomMarket } from './random-market.ts';

const at = (time: string) => Date.parse(time);
const DAY_MS = 86_400_000;

test('a minute of a seed is the same everywhere, for ever', () => {
  const market = createRandomMarket('tradewind');
  const from = at('2026-03-04T14:00:00Z');
  expect(market.listMinutes('btc', from, from + 60_000)).toEqual([
    { atMs: from, open: 105969.7, high: 105976.7, low: 105917.6, close: 105940.3, volume: 15864967.97 },
  ]);
  expect(market.listMinutes('doge', from, from + 60_000)).toEqual([
    { atMs: from, open: 0.2843, high: 0.28432, low: 0.28393, close: 0.28401, volume: 990059.23 },
  ]);
});

test('the result does not depend on earlier calls or their order', () => {
  const stretch = [at('2026-03-04T23:50:00Z'), at('2026-03-05T00:10:00Z')] as const;
  const fresh = createRandomMarket('a');
  const used = createRandomMarket('a');
  used.listMinutes('bsv', at('2027-01-01T00:00:00Z'), at('2027-01-02T00:00:00Z'));
  used.listMinutes('eth', at('2025-01-01T00:00:00Z'), at('2025-01-06T00:00:00Z'));
  expect(used.listMinutes('eth', ...stretch)).toEqual(fresh.listMinutes('eth', ...stretch));
});

test('adding a coin changes no price of the others', () => {
  const added = { ...(calibrations[0] as (typeof calibrations)[0]), symbol: 'new' };
  const [before, after] = [createRandomMarket('a'), createRandomMarket('a', [...calibrations, added])];
  const day = [at('2026-03-04T00:00:00Z'), at('2026-03-05T00:00:00Z')] as const;
  for (const symbol of ['btc', 'bsv'])
    expect(after.listMinutes(symbol, ...day)).toEqual(before.listMinutes(symbol, ...day));
  expect(after.listMinutes('new', ...day)).toHaveLength(1440);
});

test('a different seed gives a different market', () => {
  const from = at('2026-03-04T14:00:00Z');
  const [a, b] = ['a', 'b'].map((seed) => createRandomMarket(seed).listMinutes('btc', from, from + 60_000));
  expect(a).not.toEqual(b);
});

test('a range returns the minutes that open in it', () => {
  const market = createRandomMarket('a');
  const from = at('2026-03-04T14:00:00Z');
  const times = (fromMs: number, toMs: number) => market.listMinutes('btc', fromMs, toMs).map((candle) => candle.atMs);
  expect(times(from, from + 60_001)).toEqual([from, from + 60_000]);
  expect(times(from + 1, from + 60_000)).toEqual([]);
  expect(times(from, from)).toEqual([]);
});

describe('ninety days of all coins', () => {
  const from = at('2026-01-01T00:00:00Z');
  const quarters = new Map<string, FeedCandle[]>();
  const broken: string[] = [];

  beforeAll(() => {
    const market = createRandomMarket('statistics');
    const closes = new Map<string, number>();
    for (let dayMs = from; dayMs < from + 90 * DAY_MS; dayMs += DAY_MS) {
      for (const { symbol } of calibrations) collectDay(market, symbol, dayMs, closes);
    }
  });

  function collectDay(market: RandomMarket, symbol: string, dayMs: number, closes: Map<string, number>): void {
    const minutes = market.listMinutes(symbol, dayMs, dayMs + DAY_MS);
    for (const { atMs, open, high, low, close, volume } of minutes) {
      const isWhole = low > 0 && low <= Math.min(open, close) && high >= Math.max(open, close) && volume >= 0;
      const isJoined = (closes.get(symbol) ?? open) === open;
      if (!isWhole || !isJoined) broken.push(`${symbol} ${new Date(atMs).toISOString()}`);
      closes.set(symbol, close);
    }
    quarters.set(symbol, quarters.get(symbol) ?? []);
    quarters.get(symbol)?.push(...aggregateCandles(minutes, 900));
  }

  const returnsOf = (symbol: string) => {
    const closes = (quarters.get(symbol) as FeedCandle[]).map((candle) => candle.close);
    return closes.slice(1).map((close, index) => Math.log(close / (closes[index] as number)));
  };
  const deviation = (values: number[]) => Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
  const usual = (values: number[]) => {
    const rough = deviation(values);
    return values.filter((value) => Math.abs(value) < jumpSize.least * rough);
  };

  test('every candle is complete, and each opens where the previous one closed, across midnight too', () => {
    expect(broken).toEqual([]);
    expect([...quarters.values()].map((candles) => candles.length)).toEqual(calibrations.map(() => 90 * 96));
  });

  test.each(calibrations)('$symbol is as volatile as measured, within a fifth', (calibration) => {
    const perMinute = deviation(usual(returnsOf(calibration.symbol))) / Math.sqrt(15);
    expect(perMinute / (calibration.sigmaBps * 1e-4)).toBeGreaterThan(0.8);
    expect(perMinute / (calibration.sigmaBps * 1e-4)).toBeLessThan(1.2);
  });

  test('coins move together as measured: every pair, by the product of its correlations with the factor', () => {
    for (const one of calibrations) {
      for (const other of calibrations) {
        if (one === other) continue;
        const [first, second] = [returnsOf(one.symbol), returnsOf(other.symbol)];
        const product = first.reduce((sum, value, index) => sum + value * (second[index] as number), 0) / first.length;
        const correlation = product / deviation(first) / deviation(second);
        expect(Math.abs(correlation - one.correlation * other.correlation)).toBeLessThan(0.2);
      }
    }
  });

  test('jumps occur, more often than in a normal walk and in fewer than one in a hundred candles', () => {
    for (const { symbol } of calibrations) {
      const returns = returnsOf(symbol);
      const limit = jumpSize.least * deviation(usual(returns));
      const jumps = returns.filter((value) => Math.abs(value) > limit).length;
      expect(jumps).toBeGreaterThan(0);
      expect(jumps).toBeLessThan(returns.length / 100);
    }
  });

  test('session hours are busier than night hours', () => {
    const returns = returnsOf('btc');
    const hourOf = (index: number) => Math.floor((((index + 1) * 15) / 60) % 24);
    const during = (hours: number[]) => deviation(usual(returns).filter((_, index) => hours.includes(hourOf(index))));
    expect(during([13, 14, 15]) / during([3, 4, 9, 10])).toBeGreaterThan(1.2);
  });

  test('volume is around the measured median, and grows with the move', () => {
    for (const { symbol, volumePerMinute } of calibrations) {
      const volumes = (quarters.get(symbol) as FeedCandle[]).map((candle) => candle.volume / 15).sort((a, b) => a - b);
      expect(volumes[volumes.length >> 1] as number).toBeGreaterThan(volumePerMinute * 0.7);
      expect(volumes[volumes.length >> 1] as number).toBeLessThan(volumePerMinute * 1.4);
    }
  });
});

test('a market over simulated decades stays in range of its start prices', () => {
  const market = createRandomMarket('long');
  for (let year = 2021; year <= 2080; year += 5) {
    const from = Date.UTC(year, 5, 1, 12);
    for (const { symbol, startPrice } of calibrations) {
      const [candle] = market.listMinutes(symbol, from, from + 60_000);
      expect(Math.abs(Math.log((candle?.close as number) / startPrice))).toBeLessThan(2);
    }
  }
});

test('no jump is mistaken for an absurd price', () => {
  for (const { sigmaBps } of calibrations) {
    expect(2 * jumpSize.most * Math.sqrt(jumpSize.unitMinutes) * sigmaBps * 1e-4).toBeLessThan(0.405);
  }
});
