import type { Deposit } from '#contract/funds.ts';
import { toDollars } from '#contract/money.ts';
import { openDepositStates } from './core/follow-invoice.ts';
import type { DepositRow } from './sql.ts';

/** A deposit as its member sees it. The payment page is offered only while paying still makes sense. */
export function showDeposit(row: DepositRow): Deposit {
  const isPayable = (openDepositStates as readonly string[]).includes(row.state);
  return {
    id: row.id.toString(),
    reference: row.reference,
    amount: toDollars(row.amount_micros),
    credited: row.credited_micros === null ? null : toDollars(row.credited_micros),
    currency: 'USDT',
    state: row.state,
    pay_url: isPayable ? row.pay_url : null,
    transaction: row.payment_id,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
