import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['', []],
  ['  ', []],
  ['Anna', ['Anna']],
  [' be   Anna ', ['Anna', 'be']],
  ['TWABCD2345 an', ['TWABCD2345', 'an']],
  ['one three fourth a b c d', ['fourth', 'three', 'one', 'a', 'b']],
])('%j is looked for by %j, the longest first', (search, words) => {
  expect(searchWords(search)).toEqual(words);
});
