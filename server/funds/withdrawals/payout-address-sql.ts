import { sql } from 'kysely';
import type { PayoutAddress, PayoutNetwork } from '#contract/funds/withdrawals.ts';
import { lockWithdrawer, type Withdrawer } from '#server/accounts/index.ts';
import type { Db, Tx } from '#server/db/connect.ts';
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
export async function findAddressInForce(db: Db, memberId: bigint): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from funds.payout_address where member_id = ${memberId} and replaced_at is null`.execute(db);
  return rows[0];
}

/** One save of a member's address after the other: the first one ever has no row that could be locked. */
export async function lockAddresses(tx: Tx, memberId: bigint): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`funds.payout_address/${memberId}`}, 0))`.execute(tx);
}

/** Ends the address in force; undefined when there was none. */
export async function replaceAddress(tx: Tx, memberId: bigint, now: Date): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    update funds.payout_address set replaced_at = ${now}
    where member_id = ${memberId} and replaced_at is null
    returning ${columns}`.execute(tx);
  return rows[0];
}

export async function insertAddress(
  tx: Tx,
  draft: {
    readonly memberId: bigint;
    readonly network: PayoutNetwork;
    readonly address: string;
    readonly alarmHash: Buffer;
    readonly alarmExpiresAt: Date;
    readonly now: Date;
  },
): Promise<AddressRow> {
  const { rows } = await sql<AddressRow>`
    insert into funds.payout_address (member_id, network, address, saved_at, alarm_hash, alarm_expires_at)
    values (${draft.memberId}, ${draft.network}, ${draft.address}, ${draft.now}, ${draft.alarmHash}, ${draft.alarmExpiresAt})
    returning ${columns}`.execute(tx);
  return rows[0] as AddressRow;
}

/** Whose address an alarm is about, while it is good; in force or not: a thief may have saved another one since. */
export async function findByAlarm(db: Db, alarmHash: Buffer, now: Date): Promise<AddressRow | undefined> {
  const { rows } = await sql<AddressRow>`
    select ${columns} from funds.payout_address
    where alarm_hash = ${alarmHash} and alarm_expires_at > ${now}`.execute(db);
  return rows[0];
}

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
