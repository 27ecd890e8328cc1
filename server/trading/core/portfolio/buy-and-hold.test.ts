import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePrice } from '../price.ts';
import { buyAndHold, netDepositsAt } from './buy-and-hold.ts';

const at = (second: number) => new Date(second * 1000);
const dollars = (amount: number) => BigInt(Math.round(amount * 1e6));
const moved = (second: number, amount: number) => ({ marketAt: at(second), signedMicros: dollars(amount) });
type Table = Record<number, Record<string, number>>;
/** Prices by second. */
const pricesIn = (table: Table) => (instant: Date) =>
  new Map(
    Object.entries(table[instant.getTime() / 1000] ?? {}).map(([symbol, price]) => [
      symbol,
      parsePrice(price.toString()),
    ]),
  );

describe('matches values worked out by hand', () => {
  const prices = pricesIn({ 0: { a: 10, b: 50 }, 1: { a: 12, b: 40 }, 2: { a: 20, b: 40 } });

  test('the example in its comment: 100 deposited, a quarter sold, the rest held', () => {
    expect(buyAndHold([moved(0, 100), moved(1, -25)], [at(0), at(1), at(2)], prices)).toEqual([
      dollars(100),
      dollars(75),
      dollars(105),
    ]);
  });

  test('a later deposit buys at the prices of its time', () => {
    // 5 a and 1 b; then 100 more buys 50/12 a and 50/40 b: 9.1666… × 20 + 2.25 × 40.
    expect(buyAndHold([moved(0, 100), moved(1, 100)], [at(2)], prices)).toEqual([dollars(273.333333)]);
  });

  test('without deposits it is worth zero, which is known', () => {
    expect(buyAndHold([], [at(0)], prices)).toEqual([0n]);
  });

  test('before the first price it is unknown, and the money buys at the first prices', () => {
    const late = pricesIn({ 1: { a: 10 }, 2: { a: 15 } });
    expect(buyAndHold([moved(0, 100)], [at(0), at(1), at(2)], late)).toEqual([null, dollars(100), dollars(150)]);
  });

  test('an asset without a price yet is not bought', () => {
    const late = pricesIn({ 0: { a: 10 }, 1: { a: 20, b: 5 } });
    expect(buyAndHold([moved(0, 100)], [at(1)], late)).toEqual([dollars(200)]);
  });

  test('withdrawals beyond the holding are a debt, which later deposits repay first', () => {
    const falling = pricesIn({ 0: { a: 10 }, 1: { a: 5 }, 2: { a: 5 }, 3: { a: 10 } });
    // 100 became 50; 80 leave: 30 are owed. 50 come in: 30 repay the debt, 20 buy 4 a, worth 40 at 10.
    const movements = [moved(0, 100), moved(1, -80), moved(2, 50)];
    expect(buyAndHold(movements, [at(1), at(2), at(3)], falling)).toEqual([dollars(-30), dollars(20), dollars(40)]);
  });
});

describe('for any history', () => {
  const history = fc.array(
    fc.record({ amount: fc.integer({ min: -300, max: 900 }), price: fc.integer({ min: 1, max: 500 }) }),
    {
      minLength: 1,
      maxLength: 25,
    },
  );

  test('at constant prices it equals net deposits', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const movements = steps.map(({ amount }, index) => moved(index, amount));
        const still = () =>
          new Map([
            ['a', parsePrice('7')],
            ['b', parsePrice('0.3')],
            ['c', parsePrice('61204.5')],
          ]);
        const [worth] = buyAndHold(movements, [at(steps.length)], still);
        const netDeposits = movements.reduce((sum, { signedMicros }) => sum + signedMicros, 0n);
        const off = (worth as bigint) - netDeposits;
        // A micro for each movement and asset, for rounding.
        expect(off <= 0n ? -off : off).toBeLessThanOrEqual(BigInt(3 * steps.length));
      }),
    );
  });

  test('with one asset it matches floating-point arithmetic', () => {
    fc.assert(
      fc.property(history, (steps) => {
        let coins = 0;
        let owed = 0;
        for (const { amount, price } of steps) {
          if (amount >= 0) {
            const back = Math.min(amount, owed);
            owed -= back;
            coins += (amount - back) / price;
          } else {
            const sold = Math.min(-amount, coins * price);
            coins -= sold / price;
            owed += -amount - sold;
          }
        }
        const last = steps.at(-1) as { price: number };
        const table: Table = Object.fromEntries(steps.map(({ price }, index) => [index, { a: price }]));
        const [worth] = buyAndHold(
          steps.map(({ amount }, index) => moved(index, amount)),
          [at(steps.length - 1)],
          pricesIn(table),
        );
        expect(Number(worth) / 1e6).toBeCloseTo(coins * last.price - owed, 2);
      }),
    );
  });
});

const day = (number: number) => new Date(Date.UTC(2026, 2, number));
const movements = [
  { marketAt: day(2), signedMicros: 1_000n },
  { marketAt: day(4), signedMicros: -200n },
  { marketAt: day(4), signedMicros: -100n },
];

test('net deposits at each instant are deposits less withdrawals until then', () => {
  expect(netDepositsAt(movements, [day(1), day(2), day(3), day(4), day(5)])).toEqual([0n, 1_000n, 1_000n, 700n, 700n]);
});

test('net deposits are zero without movements, and empty without instants', () => {
  expect(netDepositsAt([], [day(1)])).toEqual([0n]);
  expect(netDepositsAt(movements, [])).toEqual([]);
});
