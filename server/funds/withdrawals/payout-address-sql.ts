import { sql } from 'kysely';
import type { PayoutAddress, PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { lockWithdrawer, type Withdrawer } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, findRow, getRow } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { usableFrom } from '../core/withdrawal-rules.ts';

export type AddressRow = {
  readonly id: bigint;
  readonly member_id: bigint;
  readonly network: PayoutNetwork;
  readonly address: string;
  readonly saved_at: Date;
};

const columns = sql`id, member_id, network, address, saved_at`;

/** The address in force. */
export const findAddressInForce = (db: Db, memberId: bigint) =>
  findRow(db)<AddressRow>`
    select ${columns} from funds.payout_address where member_id = ${memberId} and replaced_at is null`;

/** One save of a member's address after the other: the first one ever has no row that could be locked. */
export const lockAddresses = (tx: Tx, memberId: bigint) =>
  execute(tx)`
    select pg_advisory_xact_lock(hashtextextended(${`funds.payout_address/${memberId}`}, 0))`;

/** Ends the address in force; undefined when there was none. */
export const replaceAddress = (tx: Tx, memberId: bigint, now: Date) =>
  findRow(tx)<AddressRow>`
    update funds.payout_address set replaced_at = ${now}
    where member_id = ${memberId} and replaced_at is null
    returning ${columns}`;

export const insertAddress = (
  tx: Tx,
  draft: {
    readonly memberId: bigint;
    readonly network: PayoutNetwork;
    readonly address: string;
    readonly now: Date;
  },
) =>
  getRow(tx)<AddressRow>`
    insert into funds.payout_address (member_id, network, address, saved_at)
    values (${draft.memberId}, ${draft.network}, ${draft.address}, ${draft.now})
    returning ${columns}`;

/** Where a member's withdrawals go to and from when on; null before an address was saved. */
export async function findAddress(db: Db, memberId: bigint): Promise<PayoutAddress | null> {
  const address = await findAddressInForce(db, memberId);
  if (address === undefined) return null;
  const { securityChangedAt } = await readWithdrawer(db, memberId);
  return showAddress(address, usableFrom(address.saved_at, securityChangedAt));
}

export const showAddress = (row: AddressRow, usable: Date): PayoutAddress => ({
  network: row.network,
  address: row.address,
  usable_from: usable.toISOString(),
});

/** What decides about a member's withdrawals, as of now: for what is only shown, or looked at again under the lock. */
export const readWithdrawer = (db: Db, memberId: bigint): Promise<Withdrawer> =>
  inTransaction(db, (tx) => lockWithdrawer(tx, memberId));
