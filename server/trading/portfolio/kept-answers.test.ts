import { expect, test } from 'vitest';
import type { Db } from '#server/db/connect.ts';
import { KeptAnswers } from './kept-answers.ts';

const [one, other] = [{} as Db, {} as Db];

test('an answer is found again, of its own database alone', () => {
  const kept = new KeptAnswers<string, number>(2);
  kept.keep(one, 'a', 1);
  expect([kept.find(one, 'a'), kept.find(other, 'a'), kept.find(one, 'b')]).toEqual([1, undefined, undefined]);
});

test('the one kept longest makes room, and keeping one again makes it the newest', () => {
  const kept = new KeptAnswers<string, number>(2);
  kept.keep(one, 'a', 1);
  kept.keep(one, 'b', 2);
  kept.keep(one, 'a', 3);
  kept.keep(one, 'c', 4);
  expect(['a', 'b', 'c'].map((key) => kept.find(one, key))).toEqual([3, undefined, 4]);
});
