import { expect, test } from 'vitest';
import { initials } from './avatar.tsx';

test.each([
  ['Anika Rao', 'AR'],
  ['Anika Devi Rao', 'AR'],
  ['  anika  rao ', 'AR'],
  ['Anika', 'A'],
  ['李 明', '李明'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
