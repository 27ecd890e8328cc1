import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closingFills, openingFills, type Tick } from './fills.ts';
import { findSessionWindow } from './session-window.ts';

const at = (time: string) => new Date(`2026-03-04T${time}Z`);
const window = findSessionWindow(at('12:00:00'));
const spreads = new Map([
  ['btc', 10],
  ['eth', 10],
]);
const tick = (symbol: string, time: string, price = '100'): Tick => ({ symbol, at: at(time), price });

test('a request made before the opening is filled by the first tick at or after it', () => {
  const fills = openingFills(
    [tick('btc', '12:29:45'), tick('btc', '12:30:00'), tick('btc', '12:30:15')],
    window,
    spreads,
  );
  expect(fills).toEqual([
    { symbol: 'btc', at: at('12:30:00'), price: '100.050000000000' },
    { symbol: 'btc', at: at('12:30:15'), price: '100.050000000000' },
  ]);
});

test('a tick at the instant of the close fills nothing', () => {
  expect(openingFills([tick('btc', '17:30:00')], window, spreads)).toEqual([]);
  expect(closingFills([tick('btc', '17:30:00')], window, spreads)).toEqual([]);
  expect(closingFills([tick('btc', '17:29:59')], window, spreads)).toHaveLength(1);
});

test('each asset has its own ticks, and closing sells below the mark', () => {
  const fills = closingFills([tick('btc', '13:00:00'), tick('eth', '13:00:00', '50')], window, spreads);
  expect(fills.map(({ symbol, price }) => [symbol, price])).toEqual([
    ['btc', '99.950000000000'],
    ['eth', '49.975000000000'],
  ]);
});

test('an asset with an unknown spread is an error, not a free trade', () => {
  expect(() => openingFills([tick('xyz', '13:00:00')], window, spreads)).toThrow('no spread');
});

test('every request is filled by the first tick strictly after it in the session', () => {
  const seconds = fc.integer({ min: -600, max: 18_600 });
  const instant = (second: number) => new Date(window.opensAt.getTime() + second * 1000);
  fc.assert(
    fc.property(fc.uniqueArray(seconds, { maxLength: 30 }), seconds, (times, asked) => {
      const ticks = times
        .toSorted((a, b) => a - b)
        .map((second) => ({ symbol: 'btc', at: instant(second), price: '100' }));
      const request = instant(asked);
      const met = openingFills(ticks, window, spreads).find((fill) => request < fill.at);
      const first = ticks.find((one) => one.at > request && one.at >= window.opensAt && one.at < window.closesAt);
      expect(met?.at).toEqual(first?.at);
    }),
  );
});
