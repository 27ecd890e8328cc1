import fc from 'fast-check';
import { expect, test } from 'vitest';
import { averagePrice, firstFreshMinute } from './average-price.ts';

const at = (time: string) => Date.parse(`2026-03-04T${time}Z`);
const tick = (time: string, price: string) => ({ price, atMs: at(time) });
const lastMinute = { fromMs: at('17:29:00'), toMs: at('17:30:00'), stepSeconds: 60 };

test('each mark counts for as long as it held, the one in force at the start included', () => {
  const ticks = [tick('17:28:45', '100'), tick('17:29:15', '102'), tick('17:29:30', '104'), tick('17:29:45', '101')];
  expect(averagePrice(ticks, lastMinute)).toBe('101.75');
});

test('unequal times weigh unequally', () => {
  const ticks = [tick('17:29:00', '100'), tick('17:29:50', '106')];
  expect(averagePrice(ticks, lastMinute)).toBe('101');
});

test('marks that came at or after the end do not count', () => {
  const ticks = [tick('17:29:00', '100'), tick('17:30:00', '200'), tick('17:30:15', '300')];
  expect(averagePrice(ticks, lastMinute)).toBe('100');
});

test('decimals are exact where floating point is not', () => {
  const ticks = [tick('17:29:00', '0.1'), tick('17:29:20', '0.2'), tick('17:29:40', '0.3')];
  expect(averagePrice(ticks, lastMinute)).toBe('0.2');
});

test('no mark in force at the start: no average', () => {
  expect(averagePrice([], lastMinute)).toBeNull();
  expect(averagePrice([tick('17:29:15', '100')], lastMinute)).toBeNull();
});

test('a mark that stopped holding inside: no average', () => {
  // The mark of 17:26:14 holds to 17:29:29 (15 s until the next was due, and 180 s).
  expect(averagePrice([tick('17:26:14', '100')], lastMinute)).toBeNull();
  expect(averagePrice([tick('17:26:14', '100'), tick('17:29:29', '102')], lastMinute)).not.toBeNull();
  expect(averagePrice([tick('17:26:14', '100'), tick('17:29:30', '102')], lastMinute)).toBeNull();
});

test('an average lies between the lowest and the highest mark', () => {
  const marks = fc.array(fc.tuple(fc.integer({ min: 0, max: 59_999 }), fc.integer({ min: 1, max: 1e9 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(marks, fc.integer({ min: 1, max: 1e9 }), (drawn, first) => {
      const later = drawn.map(([ms, price]) => ({ atMs: lastMinute.fromMs + ms, price: `${price / 1000}` }));
      const ticks = [{ atMs: lastMinute.fromMs, price: `${first / 1000}` }, ...later.sort((a, b) => a.atMs - b.atMs)];
      const prices = ticks.map(({ price }) => Number(price));
      const average = Number(averagePrice(ticks, lastMinute));
      expect(average).toBeGreaterThanOrEqual(Math.min(...prices) - 1e-9);
      expect(average).toBeLessThanOrEqual(Math.max(...prices) + 1e-9);
    }),
  );
});

const late = { afterMs: at('17:30:00'), nowMs: at('18:00:00'), stepSeconds: 60 };

test('the first fresh minute is the first whole one after prices came back', () => {
  const ticks = [tick('17:26:14', '100'), tick('17:41:15', '99'), tick('17:42:30', '98'), tick('17:43:00', '50')];
  expect(firstFreshMinute(ticks, late)).toEqual({ price: '98.5', fromMs: at('17:42:00') });
});

test('a tick on the minute begins it', () => {
  const ticks = [tick('17:41:00', '99'), tick('17:41:30', '98')];
  expect(firstFreshMinute(ticks, late)).toEqual({ price: '98.5', fromMs: at('17:41:00') });
});

test('a minute that has not passed is waited for', () => {
  const ticks = [tick('17:41:00', '99')];
  expect(firstFreshMinute(ticks, { ...late, nowMs: at('17:41:59') })).toBeNull();
  expect(firstFreshMinute(ticks, { ...late, nowMs: at('17:42:00') })?.price).toBe('99');
});

test('ticks at or before the instant do not count', () => {
  expect(firstFreshMinute([tick('17:26:14', '100'), tick('17:30:00', '100')], late)).toBeNull();
});

test('when prices stop again at once, the next time they come counts', () => {
  // Candles of one second: a mark holds 60.25 s, not to the end of the whole minute after 17:41:15.
  const ticks = [tick('17:41:15', '99'), tick('17:50:30', '97'), tick('17:51:20', '95')];
  expect(firstFreshMinute(ticks, { ...late, stepSeconds: 1 })).toMatchObject({ fromMs: at('17:51:00') });
});
