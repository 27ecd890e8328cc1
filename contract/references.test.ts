import { expect, test } from 'vitest';
import { readReference } from './references.ts';

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
])('%j is %o', (text, reference) => {
  expect(readReference(text)).toEqual(reference);
});
