import { expect, test } from 'vitest';
import { changesText } from './changes-text.ts';

test.each([
  [{ frozen: false }, { frozen: true, why: 'fraud' }, 'frozen: false → true, why: "fraud"'],
  [{ role: 'support' }, { role: 'support' }, 'role: "support"'],
  [{ why: 'old' }, null, 'why: "old"'],
  [null, { ids: ['1', '2'] }, 'ids: ["1","2"]'],
  [null, null, ''],
  [3, 4, 'value: 3 → 4'],
])('%j to %j is described as %s', (before, after, words) => {
  expect(changesText(before, after)).toBe(words);
});
