import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import { lockWithdrawer, type Withdrawer } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { usableFrom } from '../core/withdrawal-rules.ts';
import { type AddressRow, findAddressInForce } from './payout-address-sql.ts';

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
