import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StopPercents, stopsToSet } from '#contract/trading/stops.ts';
import { draftOf, entryAt, noStops, readStops, stopKinds, stopSentence, stopsLine, triggerPrice } from './stops.ts';

const contract = stopsToSet;

/** The contract's first message per field for the same percentages. */
function contractSays(stops: StopPercents) {
  const errors: Record<string, string> = {};
  for (const issue of contract.safeParse(stops).error?.issues ?? []) {
    errors[String(issue.path[0])] ??= issue.message;
  }
  return errors;
}

test.each([0, 0.05, 0.1, 0.15, 0.3, 2.55, 49.9, 50, 50.1, 99.9, 99.95, 100, 1000, 1000.1])(
  '%d percent is accepted or refused exactly as by the contract',
  (percent) => {
    for (const kind of stopKinds) {
      const stops = { ...noStops, [kind]: percent };
      const read = readStops(draftOf(stops));
      expect('errors' in read ? read.errors : {}).toEqual(contractSays(stops));
    }
  },
);

test('every multiple of 0.1 within the limits is accepted unchanged', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), (tenths) => {
      const stops = { stop_loss: tenths / 10, take_profit: tenths / 10, trailing_stop: tenths / 10 };
      expect(readStops(draftOf(stops))).toEqual({ stops });
    }),
  );
});

test('an empty field means no stop, and anything but a number is refused', () => {
  expect(readStops(draftOf(noStops))).toEqual({ stops: noStops });
  expect(readStops({ stop_loss: '-', take_profit: '', trailing_stop: '' })).toEqual({
    errors: { stop_loss: 'Enter a percentage.' },
  });
});

test.each(['1,000', '1e1', '2%', '0x10'])('%s is refused, not parsed as another number', (typed) => {
  expect(readStops({ ...draftOf(noStops), take_profit: typed })).toEqual({
    errors: { take_profit: 'Enter a percentage.' },
  });
});

test('trigger prices are those that docs/product.md computes', () => {
  expect(entryAt(100, 10)).toBeCloseTo(100.05, 10);
  expect(triggerPrice('stop_loss', 2, 100.05)).toBeCloseTo(98.049, 10);
  expect(triggerPrice('take_profit', 3, 100.05)).toBeCloseTo(103.0515, 10);
  expect(triggerPrice('trailing_stop', 1, 110)).toBeCloseTo(108.9, 10);
});

const prices = { entry: 100, highest: 110, mark: 105 };

test.each([
  ['stop_loss', null, prices, 'Sells when the price falls this far below your entry price.'],
  ['stop_loss', 2, prices, 'Sells when the price falls 2% below your entry price: now 98.00.'],
  ['take_profit', 7.5, prices, 'Sells when the price rises 7.5% above your entry price: now 107.50.'],
  ['trailing_stop', 1, { ...prices, mark: 109.5 }, 'Sells when the price falls 1% from its highest price: now 108.90.'],
  ['stop_loss', 2, { entry: null, highest: null, mark: null }, 'Sells when the price falls 2% below your entry price.'],
  [
    'take_profit',
    5,
    prices,
    'Sells when the price rises 5% above your entry price: 105.00. The price has already reached it, so the trade closes at the next price.',
  ],
] as const)('%s of %s is explained in one sentence with its price', (kind, percent, at, words) => {
  expect(stopSentence(kind, percent, at, 'btc')).toBe(words);
});

test('the stops of a trade are shown on one line', () => {
  expect(stopsLine(noStops)).toBe('none');
  expect(stopsLine({ stop_loss: 1, take_profit: 2.5, trailing_stop: null })).toBe('stop 1%, take 2.5%');
});
