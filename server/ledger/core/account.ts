import assert from 'node:assert';
import type { houseAccounts, memberAccounts } from '#contract/operator/ledger.ts';

/**
 * The accounts of docs/product.md, section 2, with their class numbers. An account's id is `member × 32 + class`, so it
 * is computed and never looked up; the house is member 0. `ledger.account_class` stores the same numbers, and
 * `verifyLedger` compares the two.
 */
export const memberClasses = {
  primary: 1,
  profit: 2,
  trade_escrow: 3,
  investment: 4,
  withdrawal_hold: 5,
} as const satisfies Record<(typeof memberAccounts)[number], number>;

export const houseClasses = {
  gateway: 6,
  venue: 7,
  unallocated: 8,
  trade_fees: 9,
  performance_fees: 10,
  fee_revenue: 11,
  pool_weekly: 12,
  pool_monthly: 13,
  pool_rewards: 14,
  withdrawal_fees: 15,
  venue_result: 16,
  adjustments: 17,
  gateway_result: 18,
} as const satisfies Record<(typeof houseAccounts)[number], number>;

export type MemberClass = keyof typeof memberClasses;
export type HouseClass = keyof typeof houseClasses;
export type AccountClass = MemberClass | HouseClass;

/** A member's account, or a house account, which has no member. */
export type AccountRef = { readonly memberId: bigint; readonly class: MemberClass } | { readonly class: HouseClass };

const CLASSES_PER_MEMBER = 32n;

const classNumbers: Readonly<Record<AccountClass, number>> = { ...memberClasses, ...houseClasses };
const classNames = new Map(Object.entries(classNumbers).map(([name, number]) => [number, name as AccountClass]));

export const memberClassNames = Object.keys(memberClasses) as MemberClass[];
export const houseClassNames = Object.keys(houseClasses) as HouseClass[];

/**
 * The id of an account. `accountId({ memberId: 3n, class: 'profit' }) === 98n`, `accountId({ class: 'venue' }) === 7n`
 */
export function accountId(account: AccountRef): bigint {
  if (!('memberId' in account)) return BigInt(houseClasses[account.class]);
  assert(account.memberId > 0n, 'a member account belongs to a member');
  return account.memberId * CLASSES_PER_MEMBER + BigInt(memberClasses[account.class]);
}

/**
 * Why an account id is invalid, or undefined. `accountFault(70n) === 'refers to account 70, which does not exist'`: a
 * member has no gateway.
 */
export function accountFault(id: bigint): string | undefined {
  const name = id > 0n ? classNames.get(Number(id % CLASSES_PER_MEMBER)) : undefined;
  const exists = name !== undefined && name in memberClasses === isMemberAccount(id);
  return exists ? undefined : `refers to account ${id}, which does not exist`;
}

/** The class of an account id. `classOf(98n) === 'profit'`; an invalid id is a broken invariant. */
export function classOf(id: bigint): AccountClass {
  assert.equal(accountFault(id), undefined);
  return classNames.get(Number(id % CLASSES_PER_MEMBER)) as AccountClass;
}

/** `findClassName(7) === 'venue'` */
export const findClassName = (number: number): AccountClass | undefined => classNames.get(number);

/** `memberOf(98n) === 3n`; 0 for the house. */
export const memberOf = (id: bigint): bigint => id / CLASSES_PER_MEMBER;

/** For people: `accountName(98n) === 'profit of member 3'`, `accountName(7n) === 'venue'`. */
export function accountName(id: bigint): string {
  if (accountFault(id) !== undefined) return `account ${id}`;
  return isMemberAccount(id) ? `${classOf(id)} of member ${memberOf(id)}` : classOf(id);
}

export const isMemberAccount = (id: bigint): boolean => id >= CLASSES_PER_MEMBER;
