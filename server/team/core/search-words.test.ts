import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test.each([
  ['', []],
  ['  ', []],
  ['Anna', ['Anna']],
  [' be   Anna ', ['Anna', 'be']],
  ['tw7k 3qmx 9d', ['tw7k3qmx9d']],
  ['Twan Berger', ['Berger', 'Twan']],
  ['TWABCD2345 an', ['TWABCD2345', 'an']],
  ['one three fourth a b c d', ['fourth', 'three', 'one', 'a', 'b']],
])('%j is searched as %j, the longest word first', (search, words) => {
  expect(searchWords(search)).toEqual(words);
});
