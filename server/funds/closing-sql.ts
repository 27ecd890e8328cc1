import { sql } from 'kysely';
import type { Tx } from '#server/db/connect.ts';

export type OnTheWay = { readonly hasWithdrawal: boolean; readonly hasDeposit: boolean };

/** Whether money of a member is on its way in or out, or waits for an operator. */
export async function findOnTheWay(tx: Tx, memberId: bigint): Promise<OnTheWay> {
  const { rows } = await sql<OnTheWay>`
    select
      exists (select from funds.withdrawal
        where member_id = ${memberId} and state in ('requested', 'approved', 'sent', 'uncertain')) as "hasWithdrawal",
      exists (select from funds.deposit
        where member_id = ${memberId} and state in ('created', 'pending', 'underpaid', 'review')) as "hasDeposit"`.execute(
    tx,
  );
  return rows[0] as OnTheWay;
}

/** Where each withdrawal went stays with the withdrawal: it is part of the books. */
export async function deleteAddresses(tx: Tx, memberId: bigint): Promise<void> {
  await sql`delete from funds.payout_address where member_id = ${memberId}`.execute(tx);
}
