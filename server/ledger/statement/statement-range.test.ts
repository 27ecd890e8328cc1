import { expect, test } from 'vitest';
import { memberClassNames } from '../core/account.ts';
import { flows } from '../core/flow.ts';
import { statementRanges } from './statement-period-sql.ts';

const isMember = (name: string) => (memberClassNames as string[]).includes(name);

test('without filters each flow that touches a member account is one range for each such side, and reversals can be anywhere', () => {
  const { debit, credit } = statementRanges(1n, memberClassNames, undefined);
  const pairs = (side: 0 | 1) =>
    new Set(flows.filter((flow) => isMember(flow[side])).map((flow) => `${flow[side]} ${flow[2]}`));
  expect(debit).toHaveLength(pairs(0).size + memberClassNames.length);
  expect(credit).toHaveLength(pairs(1).size + memberClassNames.length);
  expect(new Set([...debit, ...credit].map((range) => range.account / 32n))).toEqual(new Set([1n]));
});

test('a reason that never touches an account leaves no range', () => {
  expect(statementRanges(3n, ['profit'], ['deposit'])).toEqual({ debit: [], credit: [] });
  expect(statementRanges(3n, ['primary'], ['deposit'])).toEqual({
    debit: [],
    credit: [{ account: 97n, reason: 'deposit' }],
  });
  expect(statementRanges(3n, ['profit'], ['reversal'])).toEqual({
    debit: [{ account: 98n, reason: 'reversal' }],
    credit: [{ account: 98n, reason: 'reversal' }],
  });
});

test('no range appears twice', () => {
  const { debit, credit } = statementRanges(1n, memberClassNames, undefined);
  for (const side of [debit, credit]) {
    const names = side.map((range) => `${range.account} ${range.reason}`);
    expect(new Set(names).size).toBe(names.length);
  }
});
