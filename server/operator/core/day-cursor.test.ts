import { expect, test } from 'vitest';
import { readDayCursor } from './day-cursor.ts';

test.each([
  [undefined, undefined],
  ['2026-03-04', '2026-03-04'],
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', null],
  ['0001-01-01', null],
  ['17', null],
  ['2026-03-04x', null],
])('the cursor %s is read as %s', (cursor, day) => {
  expect(readDayCursor(cursor)).toBe(day);
});
