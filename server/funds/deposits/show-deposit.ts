import type { Deposit } from '#contract/funds/deposits.ts';
import { dollarsOrNull, toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { orRefuse } from '#server/refused.ts';
import { isPayable } from '../core/follow-invoice.ts';
import { type DepositRow, findMemberDeposit } from './sql.ts';

/** A deposit as its member sees it. Ways to pay are only shown while it can be paid. */
export function showDeposit(row: DepositRow): Deposit {
  const canBePaid = isPayable(row.state);
  return {
    id: row.id.toString(),
    reference: row.reference,
    amount: toDollars(row.amount_micros),
    paid: dollarsOrNull(row.paid_micros),
    credited: dollarsOrNull(row.credited_micros),
    held: toDollars(row.booked_micros - (row.credited_micros ?? 0n) - row.refunded_micros),
    refunded: toDollars(row.refunded_micros),
    currency: 'USDT',
    pay_with: row.pay_with,
    state: row.state,
    pay_url: canBePaid ? row.pay_url : null,
    pay_ways: canBePaid ? (row.pay_ways ?? []) : [],
    note: row.note,
    transaction: row.payment_id,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** A deposit of the member. Refuses `deposit_not_found`, also for another member's. */
export async function getDeposit(context: Context, memberId: bigint, id: bigint): Promise<Deposit> {
  return showDeposit(orRefuse(await findMemberDeposit(context.db, memberId, id), 'deposit_not_found'));
}
