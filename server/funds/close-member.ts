import type { Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';

/**
 * A step of closing an account (docs/product.md, section 8): saved payout addresses are forgotten. Refusals:
 * `closing_withdrawals` and `closing_deposits` while money is on its way. A payment that arrives later is held for an
 * operator to send back.
 */
export async function closeMemberFunds(tx: Tx, memberId: bigint): Promise<void> {
  const { hasWithdrawal, hasDeposit } = await findOnTheWay(tx, memberId);
  if (hasWithdrawal) throw new Refused('closing_withdrawals');
  if (hasDeposit) throw new Refused('closing_deposits');
  await deleteAddresses(tx, memberId);
}

type OnTheWay = { readonly hasWithdrawal: boolean; readonly hasDeposit: boolean };

/** Whether money of a member is on its way in or out, or waits for an operator. */
const findOnTheWay = (tx: Tx, memberId: bigint) =>
  getRow(tx)<OnTheWay>`
    select
      exists (select from funds.withdrawal
        where member_id = ${memberId} and state in ('requested', 'approved', 'sent', 'uncertain')) as "hasWithdrawal",
      exists (select from funds.deposit
        where member_id = ${memberId} and state in ('created', 'pending', 'underpaid', 'review')) as "hasDeposit"`;

/** Where each withdrawal went stays with the withdrawal: it is part of the books. */
const deleteAddresses = (tx: Tx, memberId: bigint) =>
  execute(tx)`delete from funds.payout_address where member_id = ${memberId}`;
