import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import type { FreezeCause } from './withdrawals/payout-guard.ts';

type Owned = { readonly id: bigint; readonly member_id: bigint };

/** The deposit that people quote as `DP-7M2QX4`. */
export async function findDepositOwner(db: Db, reference: string): Promise<Owned | undefined> {
  const { rows } = await sql<Owned>`
    select id, member_id from funds.deposit where reference = ${reference}`.execute(db);
  return rows[0];
}

/** The withdrawal that people quote as `WD-7M2QX4`. */
export async function findWithdrawalOwner(db: Db, reference: string): Promise<Owned | undefined> {
  const { rows } = await sql<Owned>`
    select id, member_id from funds.withdrawal where reference = ${reference}`.execute(db);
  return rows[0];
}

/** Last of all that begin like a text: the highest code point stands behind it. */
const LAST = '\u{10FFFF}';

/** Members who saved an address beginning like this, ever. Capital letters do not count: not all networks have them. */
export async function listAddressOwners(db: Db, address: string, most: number): Promise<bigint[]> {
  const small = address.toLowerCase();
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from funds.payout_address
    where lower(address) ~>=~ ${small} and lower(address) ~<~ ${`${small}${LAST}`} limit ${most}`.execute(db);
  return rows.map((row) => row.member_id);
}

/** Members with a payment or payout of this hash, or with this name at the gateway. */
export async function listTransactionOwners(db: Db, transaction: string): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from funds.withdrawal where transaction = ${transaction}
    union select member_id from funds.withdrawal where payout_id = ${transaction}
    union select member_id from funds.deposit where payment_id = ${transaction}
    union select member_id from funds.deposit where invoice_id = ${transaction}`.execute(db);
  return rows.map((row) => row.member_id);
}

export type StoppedWithdrawals = {
  readonly member_id: bigint;
  readonly cause: FreezeCause;
  readonly frozen_at: Date;
};

/** Those of these members whose withdrawals are stopped. */
export async function listStoppedWithdrawals(db: Db, memberIds: readonly bigint[]): Promise<StoppedWithdrawals[]> {
  const { rows } = await sql<StoppedWithdrawals>`
    select member_id, cause, frozen_at from funds.withdrawal_freeze
    where member_id = any(${memberIds}::bigint[])`.execute(db);
  return rows;
}
