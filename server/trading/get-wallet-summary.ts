import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { trading } from '#contract/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { getBalances, sumTransfers } from '#server/ledger/index.ts';
import { getNetWorth } from './get-net-worth.ts';
import { findTotals, listPlaced } from './portfolio-sql.ts';

/** Team incomes and rewards; results of trades are not among them. */
const incomes = ['referral_bonus', 'level_bonus', 'team_profit', 'weekly_income', 'monthly_income', 'reward'] as const;

/** Sums over the life of an account (api.md, `wallet-summary`). Volume and result are those of settled trades. */
export async function getWalletSummary(db: Db, memberId: bigint): Promise<DataOf<typeof trading.getWalletSummary>> {
  const [balances, placed, totals, netWorth, deposited, withdrawn, income] = await Promise.all([
    getBalances(db, memberId),
    listPlaced(db, memberId),
    findTotals(db, memberId),
    getNetWorth(db, memberId),
    sumTransfers(db, { memberId, side: 'credit', reasons: ['deposit', 'deposit_allocated'] }),
    sumTransfers(db, { memberId, side: 'debit', reasons: ['withdrawal_payout', 'withdrawal_fee'] }),
    sumTransfers(db, { memberId, side: 'credit', reasons: incomes }),
  ]);
  const openFees = placed.reduce((sum, { fees }) => sum + fees, 0n);
  return {
    deposited: toDollars(deposited),
    withdrawn: toDollars(withdrawn),
    in_trades: toDollars(placed.reduce((sum, { amount }) => sum + amount, 0n)),
    invested: toDollars(balances.investment),
    on_hold: toDollars(balances.withdrawal_hold),
    traded_volume: toDollars(totals.volume),
    realised: toDollars(totals.result),
    fees_paid: toDollars(totals.fees + openFees),
    income: toDollars(income),
    net_worth: toDollars(netWorth.valueMicros),
  };
}
