import { expect, test } from 'vitest';
import { frameText } from './frame-text.ts';

test.each([
  ['of 125 bytes', 125, '817d'],
  ['of 126 bytes', 126, '817e007e'],
  ['of 65535 bytes', 65_535, '817effff'],
  ['of 65536 bytes', 65_536, '817f0000000000010000'],
])('a text %s follows its length', (_, length, head) => {
  const frame = frameText('x'.repeat(length));
  expect(frame.toString('hex', 0, head.length / 2)).toBe(head);
  expect(frame.toString('utf8', head.length / 2)).toBe('x'.repeat(length));
});

test('the length counts bytes, not characters', () => {
  expect(frameText('€').toString('hex')).toBe('8103e282ac');
});
