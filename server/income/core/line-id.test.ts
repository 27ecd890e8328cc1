import fc from 'fast-check';
import { expect, test } from 'vitest';
import { id } from '#contract/endpoint.ts';
import { lineId, readLineId } from './line-id.ts';

test('a line is named by its session and its level, and found by that name, for every day and level', () => {
  const anyDay = fc
    .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 10 }), (day, level) => {
      const written = lineId({ day, level });
      expect(id.parse(written)).toBe(written);
      expect(readLineId(written)).toEqual({ day, level });
    }),
  );
});

test('ids as worked by hand', () => {
  expect(lineId({ day: '2026-03-04', level: 3 })).toBe('2026030403');
  expect(readLineId('2026030410')).toEqual({ day: '2026-03-04', level: 10 });
});

test.each([
  ['a day that does not exist', '2026023003'],
  ['the 29th of February in another year', '2026022901'],
  ['month 13', '2026130101'],
  ['level 0', '2026030400'],
  ['level 11', '2026030411'],
  ['a year before all markets', '1000010101'],
  ['too short', '202603043'],
  ['too long', '20260304030'],
  ['words', 'yesterday'],
])('no line has this id: %s', (_, text) => {
  expect(readLineId(text)).toBeUndefined();
});
