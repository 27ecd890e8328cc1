import { expect, test } from 'vitest';
import { parsePrice } from '../price.ts';
import { candleMarks, findCandleTrigger } from './candle-marks.ts';
import { noStops, type StopPermilles, stopLevels } from './stops.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
/** Of 15-minute candles from 12:30 on: open, first and second extreme, close. */
const marksOf = (prices: readonly string[]) =>
  candleMarks(
    prices.map((price, quarter) => ({
      symbol: 'btc',
      price,
      at: new Date(at('12:30:00').getTime() + quarter * 225_000),
    })),
    { kind: 'candles', stepMs: 900_000 },
  );

const trigger = (stops: Partial<StopPermilles>, prices: readonly string[], since = '12:30:00') =>
  findCandleTrigger(
    {
      levels: stopLevels('100', { ...noStops, ...stops }),
      stopsSince: at(since),
      trailingSince: at(since),
      highest: parsePrice('100'),
    },
    marksOf(prices),
  );

test('a first extreme can trigger alone, and the second can turn a profit into a loss', () => {
  const stops = { stopLoss: 50, takeProfit: 80 };
  expect(trigger(stops, ['100', '110'])).toEqual({ at: at('12:33:45'), cause: 'take_profit' });
  expect(trigger(stops, ['100', '110', '90'])).toEqual({ at: at('12:37:30'), cause: 'stop_loss' });
  expect(trigger(stops, ['100', '110', '99', '90'])).toEqual({ at: at('12:33:45'), cause: 'take_profit' });
});

test('a low is measured from the high of its own candle, whatever their order', () => {
  expect(trigger({ trailingStop: 50 }, ['100', '104', '110'])).toEqual({ at: at('12:33:45'), cause: 'trailing_stop' });
  expect(trigger({ trailingStop: 50 }, ['100', '104'])).toBeUndefined();
  expect(trigger({ trailingStop: 60 }, ['100', '104', '110', '108'])).toBeUndefined();
});

test('marks before the stop do not trigger it, but a trailing stop counts from the mark it began at', () => {
  expect(trigger({ stopLoss: 50 }, ['100', '90', '110'], '12:33:45')).toBeUndefined();
  expect(trigger({ trailingStop: 50 }, ['100', '110', '104'], '12:33:45')).toEqual({
    at: at('12:37:30'),
    cause: 'trailing_stop',
  });
});
