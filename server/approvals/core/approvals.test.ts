import { expect, test } from 'vitest';
import { doesCount, type OperatorAuthority } from './approvals.ts';

const monday = new Date('2026-03-02T10:00:00Z');
const tuesday = new Date('2026-03-03T10:00:00Z');
const finance: OperatorAuthority = { id: 1n, name: 'Ines', role: 'finance', isActive: true, acceptedAt: null };

test.each<[string, OperatorAuthority | undefined, boolean]>([
  ['active and entitled', finance, true],
  ['disabled', { ...finance, isActive: false }, false],
  ['in another role now', { ...finance, role: 'support' }, false],
  ['raised', { ...finance, role: 'admin' }, true],
  ['in an account accepted before', { ...finance, acceptedAt: monday }, true],
  ['in an account accepted later', { ...finance, acceptedAt: tuesday }, false],
  ['unknown', undefined, false],
])('a Monday approval by an operator who is %s', (_, authority, counts) => {
  expect(doesCount(authority, ['finance', 'admin'], monday)).toBe(counts);
});
