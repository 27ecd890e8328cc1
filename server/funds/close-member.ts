import { type WalletType, walletTypes } from '#contract/rules.ts';
import type { Tx } from '#server/db/connect.ts';
import { execute, getRow } from '#server/db/rows.ts';
import { getBalances, lockAccounts, post } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { Refused } from '#server/refused.ts';
import { isTooLittle } from './core/withdrawal-rules.ts';
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

/**
 * The last step: moves what is left in the wallets to the house's `adjustments`, which nobody can take out, if each holds
 * less than can be withdrawn and the member forfeits exactly that. Locks the member's ledger accounts. Refuses
 * `closing_balance` and `closing_remainder`.
 */
export async function forfeitRemainder(tx: Tx, memberId: bigint, forfeitMicros: bigint): Promise<void> {
  await lockAccounts(tx, memberId);
  const { primary, profit, ...rest } = await getBalances(tx, memberId);
  const isEmpty = Object.values(rest).every((balance) => balance === 0n);
  if (!isEmpty || !isTooLittle(primary) || !isTooLittle(profit)) throw new Refused('closing_balance');
  if (primary + profit !== forfeitMicros) throw new Refused('closing_remainder');
  if (forfeitMicros > 0n) await postRemainder(tx, memberId, { primary, profit });
}

async function postRemainder(tx: Tx, memberId: bigint, balances: Record<WalletType, bigint>): Promise<void> {
  const marketAt = await getMarketTime(tx);
  const left = walletTypes.filter((wallet) => balances[wallet] > 0n);
  await post(
    tx,
    left.map((wallet) => ({
      key: `closing/${memberId}/${wallet}`,
      from: { memberId, class: wallet },
      to: { class: 'adjustments' },
      amountMicros: balances[wallet],
      reason: 'closing_remainder',
      reference: 'closing',
      marketAt,
    })),
  );
}
