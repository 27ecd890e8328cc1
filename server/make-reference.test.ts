import { expect, test } from 'vitest';
import { insertUnderNewReference, makeReference } from './make-reference.ts';
import { readReference } from './operator/core/search-terms.ts';

test('a reference that is made is read again', () => {
  const text = makeReference('treasury');
  expect(text).toMatch(/^TM-[A-HJKMNP-TV-Z2-9]{6}$/);
  expect(readReference(text)).toEqual({ kind: 'treasury', text });
});

test('one that is taken is followed by another', async () => {
  const taken: string[] = [];
  const insert = async (reference: string) => (taken.push(reference) < 3 ? undefined : reference);
  expect(await insertUnderNewReference('ticket', insert)).toBe(taken[2]);
  expect(new Set(taken).size).toBe(3);
});
