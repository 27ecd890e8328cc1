import { expect, test } from 'vitest';
import { closeAfterAll } from '#test/database/close-after-all.ts';
import { bootRecorded } from '#test/kit/boot.ts';
import { playUntil, still } from '#test/recorded/recorded-market.ts';
import { listPricesAt } from './list-candles.ts';

/** The price of btc is the minute of the day; eth has none before 12:30. */
const world = closeAfterAll(
  await bootRecorded({
    minutes: 5 * 1440,
    candle: (symbol, at) => {
      const minute = at.getUTCHours() * 60 + at.getUTCMinutes();
      return symbol === 'btc' || minute >= 750 || at.getUTCDate() > 4 ? still(String(minute + 1)) : null;
    },
    start: '2026-03-04T12:00:00Z',
    speed: 3600,
  }),
);
await playUntil(world.context, '2026-03-04T13:00:00Z', async () => {});

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const pricesAt = async (...times: string[]) =>
  (await listPricesAt(world.context.db, times.map(at))).map(({ at: instant, symbol, price }) => [
    instant.toISOString().slice(11, 19),
    symbol,
    Number(price),
  ]);

test('the price at an instant is the close of the last quarter of an hour that had ended by then', async () => {
  expect(await pricesAt('12:15:00', '12:29:59', '12:30:00', '12:45:00')).toEqual([
    ['12:15:00', 'btc', 735],
    ['12:29:59', 'btc', 735],
    ['12:30:00', 'btc', 750],
    ['12:45:00', 'btc', 765],
    ['12:45:00', 'eth', 765],
  ]);
});

test('before the first price, and for no instant, nothing is known', async () => {
  expect(await pricesAt('12:14:59')).toEqual([]);
  expect(await pricesAt()).toEqual([]);
});

test('the answer stays the same after ticks and short candles are purged', async () => {
  const before = await pricesAt('12:37:00', '12:52:00');
  await playUntil(world.context, '2026-03-08T13:00:00Z', async () => {});
  expect(await pricesAt('12:37:00', '12:52:00')).toEqual(before);
});
