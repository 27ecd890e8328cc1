import { expect, test } from 'vitest';
import { readReference } from './ledger-reference.ts';

test.each([
  ['trade 17', { kind: 'trade', text: '17' }],
  ['DP-7M2QX4', { kind: 'deposit', text: 'DP-7M2QX4' }],
  ['WD-7M2QX4', { kind: 'withdrawal', text: 'WD-7M2QX4' }],
  ['AD-7M2QX4', { kind: 'adjustment', text: 'AD-7M2QX4' }],
  ['TM-7M2QX4', { kind: 'treasury', text: 'TM-7M2QX4' }],
  ['session 2026-03-04', undefined],
  ['trade 0', undefined],
  ['trade 17 and more', undefined],
])('%j is %o', (text, reference) => {
  expect(readReference(text)).toEqual(reference);
});
