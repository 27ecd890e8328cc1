import { expect, test } from 'vitest';
import { findWeeklyReason } from './weekly.ts';

const qualifying = { isCompany: false, isClosed: false, isActive: true, activeDirects: 3n, neededDirects: 3 };

test.each([
  ['exactly as many directs as it takes', {}, undefined],
  ['more', { activeDirects: 9n }, undefined],
  ['one too few', { activeDirects: 2n }, 'directs'],
  ['none needed', { activeDirects: 0n, neededDirects: 0 }, undefined],
  ['inactive', { isActive: false }, 'inactive'],
  ['inactive, with too few directs', { isActive: false, activeDirects: 0n }, 'inactive'],
  ['the company', { isCompany: true }, 'company'],
  ['who closed the account', { isClosed: true }, 'closed'],
  ['who closed the account, inactive', { isClosed: true, isActive: false }, 'closed'],
  ['the company, inactive', { isCompany: true, isActive: false, activeDirects: 0n }, 'company'],
] as const)('%s', (_, change, reason) => {
  expect(findWeeklyReason({ ...qualifying, ...change })).toBe(reason);
});
