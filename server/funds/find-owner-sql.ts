import type { Db } from '#server/db/connect.ts';
import { findRow, listRows, listValues } from '#server/db/rows.ts';
import type { FreezeCause } from './withdrawals/payout-guard.ts';

type Owned = { readonly id: bigint; readonly member_id: bigint };

/** The deposit that people quote as `DP-7M2QX4`. */
export const findDepositOwner = (db: Db, reference: string) =>
  findRow(db)<Owned>`
    select id, member_id from funds.deposit where reference = ${reference}`;

/** The withdrawal that people quote as `WD-7M2QX4`. */
export const findWithdrawalOwner = (db: Db, reference: string) =>
  findRow(db)<Owned>`
    select id, member_id from funds.withdrawal where reference = ${reference}`;

/** Last of all that begin like a text: the highest code point stands behind it. */
const LAST = '\u{10FFFF}';

/** Members who saved an address beginning like this, ever. Capital letters do not count: not all networks have them. */
export async function listAddressOwners(db: Db, address: string, most: number): Promise<bigint[]> {
  const small = address.toLowerCase();
  return listValues(db)<bigint>`
    select member_id from funds.payout_address
    where lower(address) ~>=~ ${small} and lower(address) ~<~ ${`${small}${LAST}`} limit ${most}`;
}

/** Members with a payment or payout of this hash, or with this name at the gateway. */
export const listTransactionOwners = (db: Db, transaction: string) =>
  listValues(db)<bigint>`
    select member_id from funds.withdrawal where transaction = ${transaction}
    union select member_id from funds.withdrawal where payout_id = ${transaction}
    union select member_id from funds.deposit where payment_id = ${transaction}
    union select member_id from funds.deposit where invoice_id = ${transaction}`;

export type StoppedWithdrawals = {
  readonly member_id: bigint;
  readonly cause: FreezeCause;
  readonly frozen_at: Date;
};

/** Those of these members whose withdrawals are stopped. */
export const listStoppedWithdrawals = (db: Db, memberIds: readonly bigint[]) =>
  listRows(db)<StoppedWithdrawals>`
    select member_id, cause, frozen_at from funds.withdrawal_freeze
    where member_id = any(${memberIds}::bigint[])`;
