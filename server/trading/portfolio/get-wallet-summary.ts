import { toDollars } from '#contract/money.ts';
import type { WalletSummary } from '#contract/trading/portfolio.ts';
import type { Db } from '#server/db/connect.ts';
import { type MoneySums, readMoneySums } from './read-money-sums.ts';

/** Sums over the life of an account (`GET auth/wallet-summary`). */
export async function getWalletSummary(db: Db, memberId: bigint): Promise<WalletSummary> {
  return showSummary(await readMoneySums(db, memberId));
}

export function showSummary({ balances, placed, totals, netWorth, ...moved }: MoneySums): WalletSummary {
  return {
    deposited: toDollars(moved.deposited),
    withdrawn: toDollars(moved.withdrawn),
    in_trades: toDollars(placed.reduce((sum, { amount }) => sum + amount, 0n)),
    invested: toDollars(balances.investment),
    on_hold: toDollars(balances.withdrawal_hold),
    traded_volume: toDollars(totals.volume),
    realised: toDollars(totals.result),
    fees_paid: toDollars(totals.tradeFees + moved.openFees + totals.performanceFees),
    income: toDollars(moved.income),
    net_worth: toDollars(netWorth.valueMicros),
  };
}
