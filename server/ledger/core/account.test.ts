import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AccountRef,
  accountFault,
  accountId,
  accountName,
  classOf,
  houseClassNames,
  isMemberAccount,
  memberClassNames,
  memberOf,
} from './account.ts';

const anyAccount: fc.Arbitrary<AccountRef> = fc.oneof(
  fc.record({ memberId: fc.bigInt(1n, 2n ** 50n), class: fc.constantFrom(...memberClassNames) }),
  fc.record({ class: fc.constantFrom(...houseClassNames) }),
);

test('ids match values worked out by hand', () => {
  expect(accountId({ memberId: 1n, class: 'primary' })).toBe(33n);
  expect(accountId({ memberId: 3n, class: 'profit' })).toBe(98n);
  expect(accountId({ memberId: 1_000_000n, class: 'withdrawal_hold' })).toBe(32_000_005n);
  expect(accountId({ class: 'gateway' })).toBe(6n);
  expect(accountId({ class: 'adjustments' })).toBe(17n);
  expect(accountId({ class: 'gateway_result' })).toBe(18n);
});

test('an id encodes member and class, for every account', () => {
  fc.assert(
    fc.property(anyAccount, (account) => {
      const id = accountId(account);
      expect(accountFault(id)).toBeUndefined();
      expect(classOf(id)).toBe(account.class);
      expect(isMemberAccount(id)).toBe('memberId' in account);
      expect(memberOf(id)).toBe('memberId' in account ? account.memberId : 0n);
    }),
  );
});

test.for([0n, -1n, -26n, 1n, 5n, 19n, 31n, 32n, 38n, 63n])('%s is not an account', (id) => {
  expect(accountFault(id)).toBe(`refers to account ${id}, which does not exist`);
  expect(() => classOf(id)).toThrow(`refers to account ${id}, which does not exist`);
  expect(accountName(id)).toBe(`account ${id}`);
});

test('a member account needs a member', () => {
  expect(() => accountId({ memberId: 0n, class: 'primary' })).toThrow('belongs to a member');
});

test('names are readable', () => {
  expect(accountName(98n)).toBe('profit of member 3');
  expect(accountName(7n)).toBe('venue');
});
