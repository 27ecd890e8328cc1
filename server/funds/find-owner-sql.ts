import type { Db } from '#server/db/connect.ts';
import { findRow, listRows, listValues } from '#server/db/rows.ts';
import type { FreezeCause } from './withdrawals/payout-guard.ts';

type Owned = { readonly id: bigint; readonly member_id: bigint };

/** Finds a deposit by its reference, such as `DP-7M2QX4`. */
export const findDepositOwner = (db: Db, reference: string) =>
  findRow(db)<Owned>`
    select id, member_id from funds.deposit where reference = ${reference}`;

/** Finds a withdrawal by its reference, such as `WD-7M2QX4`. */
export const findWithdrawalOwner = (db: Db, reference: string) =>
  findRow(db)<Owned>`
    select id, member_id from funds.withdrawal where reference = ${reference}`;

/** The highest code point: appended to a prefix, it sorts after every text with that prefix. */
const LAST = '\u{10FFFF}';

/** Members who ever saved an address with this prefix, ignoring case, which is not significant on all networks. */
export async function listAddressOwners(db: Db, address: string, most: number): Promise<bigint[]> {
  const prefix = address.toLowerCase();
  return listValues(db)<bigint>`
    select member_id from funds.payout_address
    where lower(address) ~>=~ ${prefix} and lower(address) ~<~ ${`${prefix}${LAST}`} limit ${most}`;
}

/** Members with a payment or payout of this transaction hash or gateway id. */
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

/** Stops of withdrawals among these members. */
export const listStoppedWithdrawals = (db: Db, memberIds: readonly bigint[]) =>
  listRows(db)<StoppedWithdrawals>`
    select member_id, cause, frozen_at from funds.withdrawal_freeze
    where member_id = any(${memberIds}::bigint[])`;
