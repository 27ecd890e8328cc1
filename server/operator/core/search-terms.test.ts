import { expect, test } from 'vitest';
import { readReference, readSearch } from './search-terms.ts';

test.each([
  ['17', { id: 17n, lastDigits: undefined, mobile: undefined }],
  ['4321', { id: 4321n, lastDigits: '4321', mobile: undefined }],
  ['0017', { id: undefined, lastDigits: '0017' }],
  ['+91 98765-43210', { id: undefined, mobile: '+919876543210', lastDigits: undefined }],
  ['09876 543210', { lastDigits: '9876543210' }],
  ['0091 98765 43210', { lastDigits: '919876543210' }],
  ['+44 (0)7911 123456', { mobile: '+447911123456' }],
  ['tw7k 3qmx 9d', { referralCode: 'TW7K3QMX9D' }],
  ['tw7k3qmx9d', { referralCode: 'TW7K3QMX9D', nameWords: ['tw7k3qmx9d'] }],
  ['dp-7m2qx4', { reference: { kind: 'deposit', text: 'DP-7M2QX4' } }],
  ['WD-7M2QX4', { reference: { kind: 'withdrawal', text: 'WD-7M2QX4' } }],
  ['Q-7M2QX4', { reference: { kind: 'ticket', text: 'Q-7M2QX4' } }],
  ['Trade 17', { reference: { kind: 'trade', text: '17' } }],
  ['Anika Rao', { nameWords: ['anika', 'rao'], email: undefined, address: undefined, reference: undefined }],
  ['Al Montgomery', { nameWords: ['montgomery', 'al'] }],
  ['Anika@Mail.Test', { email: 'anika@mail.test', address: 'Anika@Mail.Test' }],
  ['TJRa bPrw bZ', { address: 'TJRabPrwbZ', transaction: undefined }],
  ['TJRabPrw', { address: 'TJRabPrw', transaction: 'TJRabPrw' }],
])('%j means %o', (text, meaning) => {
  expect(readSearch(text)).toMatchObject(meaning);
});

test('one letter finds nobody, because it would find everybody', () => {
  expect(Object.values(readSearch('a')).flat()).toEqual(Array(8).fill(undefined));
});

test.each([
  ['trade 17', { kind: 'trade', text: '17' }],
  ['DP-7M2QX4', { kind: 'deposit', text: 'DP-7M2QX4' }],
  ['WD-7M2QX4', { kind: 'withdrawal', text: 'WD-7M2QX4' }],
  ['AD-7M2QX4', { kind: 'adjustment', text: 'AD-7M2QX4' }],
  ['TM-7M2QX4', { kind: 'treasury', text: 'TM-7M2QX4' }],
  ['FP-7M2QX4', { kind: 'fee_plan', text: 'FP-7M2QX4' }],
  ['Q-7M2QX4', { kind: 'ticket', text: 'Q-7M2QX4' }],
  ['XX-7M2QX4', undefined],
  ['dp-7m2qx4', undefined],
  ['session 2026-03-04', undefined],
  ['trade 0', undefined],
  ['trade 17 and more', undefined],
])('the reference %j is %o', (text, reference) => {
  expect(readReference(text)).toEqual(reference);
});
