import { expect, test } from 'vitest';
import { shorten } from './text.tsx';

test('what is long shows its first and last characters, what is short all of them', () => {
  expect(shorten('TKq8mZ4vRw2Xc7Nd9LhPb5Ys3FgJt6QeAu')).toBe('TKq8…QeAu');
  expect(shorten('0xF3f56A64b6a98A6b975cD19c23da68b847219b64', 8)).toBe('0xF3f56A…47219b64');
  expect(shorten('TKq8mZ4vRw2X')).toBe('TKq8mZ4vRw2X');
});
