import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { trading } from '#contract/trading/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { getBalances } from '#server/ledger/index.ts';
import { listPlaced } from './portfolio-sql.ts';

/** The two balances: one query of one member's accounts. */
export async function getWalletBalance(db: Db, memberId: bigint): Promise<DataOf<typeof trading.getWalletBalance>> {
  const { primary, profit } = await getBalances(db, memberId);
  return { primary_wallet: toDollars(primary), profit_wallet: toDollars(profit) };
}

export type WalletMicros = { readonly balance: bigint; readonly inTrades: bigint };

/** The two wallets with what was put into trades out of each that are not settled: amounts as placed. */
export async function getWallets(db: Db, memberId: bigint): Promise<Record<WalletType, WalletMicros>> {
  const [balances, placed] = await Promise.all([getBalances(db, memberId), listPlaced(db, memberId)]);
  const walletOf = (wallet: WalletType): WalletMicros => ({
    balance: balances[wallet],
    inTrades: placed.filter((sum) => sum.wallet === wallet).reduce((total, sum) => total + sum.amount, 0n),
  });
  return { primary: walletOf('primary'), profit: walletOf('profit') };
}
