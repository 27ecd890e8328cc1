import type { PayoutAddress } from '#contract/funds/withdrawals.ts';
import type { Db } from '#server/db/connect.ts';
import { usableFrom } from '../core/withdrawal-rules.ts';
import { type AddressRow, findAddressInForce } from './payout-address-sql.ts';
import { readWithdrawer } from './read-withdrawer.ts';

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
