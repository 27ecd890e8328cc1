import { expect, test } from 'vitest';
import { aboutPath, attachmentLimits, sizeText } from './ticket-labels.ts';

test.each([
  [1, '1 KB'],
  [219_136, '214 KB'],
  [1_048_575, '1023 KB'],
  [1_048_576, '1 MB'],
  [5_033_165, '4.8 MB'],
])('%i bytes are shown as %s', (bytes, words) => {
  expect(sizeText(bytes)).toBe(words);
});

test('the file limits are those of the contract', () => {
  expect(attachmentLimits).toBe('Up to 3 files: PNG, JPEG or PDF, up to 5 MB each.');
});

test('the subject of a ticket links to its page', () => {
  expect(aboutPath({ kind: 'trade', id: '17' })).toBe('/trades/17');
  expect(aboutPath({ kind: 'withdrawal', id: '4' })).toBe('/fund/withdrawal-history?withdrawal=4');
  expect(aboutPath({ kind: 'deposit', id: '4' })).toBe('/fund/deposits?deposit=4');
  expect(aboutPath({ kind: 'movement', id: '4' })).toBe('/fund/transaction-history');
});
