import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { freezeWithdrawals } from './freeze-withdrawals.ts';
import { findByAlarm } from './payout-address-sql.ts';
import { hashAlarm } from './save-address.ts';

/**
 * *This was not me*: the token of the mail about a changed address stops all withdrawals of its account. Whoever has
 * the mail can do this, signed in or not; it can only stop, never let go. Pressing twice is fine.
 *
 * Refuses `wrong_alarm`.
 */
export async function reportAddressChange(context: Context, token: string, networkAddress?: string): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const row = await findByAlarm(tx, hashAlarm(token), context.now());
    if (row === undefined) throw new Refused('wrong_alarm');
    await freezeWithdrawals(tx, context, {
      memberId: row.member_id,
      cause: 'not_me',
      actor: { kind: 'member', id: row.member_id },
      why: `the button in the mail about the ${row.network} address ${row.address}`,
      ...(networkAddress === undefined ? {} : { address: networkAddress }),
    });
  });
}
