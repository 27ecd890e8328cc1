import type { Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { Refused } from '#server/refused.ts';
import { isOpenDeposit } from './deposits/sql.ts';
import { isOpenWithdrawal } from './withdrawals/withdrawal.ts';

/**
 * A step of closing an account (docs/product.md, section 8): deletes the saved payout addresses. Refuses
 * `closing_withdrawals` and `closing_deposits` while money is in transit. A payment that arrives later is held for an
 * operator to refund.
 */
export async function closeMemberFunds(tx: Tx, memberId: bigint): Promise<void> {
  const { hasWithdrawal, hasDeposit } = await findOnTheWay(tx, memberId);
  if (hasWithdrawal) throw new Refused('closing_withdrawals');
  if (hasDeposit) throw new Refused('closing_deposits');
  await deleteAddresses(tx, memberId);
}

type OnTheWay = { readonly hasWithdrawal: boolean; readonly hasDeposit: boolean };

/** Whether a member has open withdrawals or deposits, including those in review. */
const findOnTheWay = (tx: Tx, memberId: bigint) =>
  getRow(tx)<OnTheWay>`
    select
      exists (select from funds.withdrawal
        where member_id = ${memberId} and ${isOpenWithdrawal}) as "hasWithdrawal",
      exists (select from funds.deposit
        where member_id = ${memberId} and (${isOpenDeposit} or state = 'review')) as "hasDeposit"`;

/** Each withdrawal keeps the address it was paid to: that is part of the records. */
const deleteAddresses = (tx: Tx, memberId: bigint) =>
  execute(tx)`delete from funds.payout_address where member_id = ${memberId}`;
