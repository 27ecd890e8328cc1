import { afterAll, expect, test } from 'vitest';
import { closeAfterAll } from './close-after-all.ts';

const closed: string[] = [];
const open = (name: string) => closeAfterAll({ close: () => closed.push(name) });

// The last hook runs first: this one sees what the file’s own has done.
afterAll(() => expect(closed).toEqual(['second of a test', 'first of a test', 'of the file']));
open('of the file');

test('what a test opens', () => {
  open('first of a test');
  open('second of a test');
  expect(closed).toEqual([]);
});

test('is closed after it, and what the file opened stays', () => {
  expect(closed).toEqual(['second of a test', 'first of a test']);
});
