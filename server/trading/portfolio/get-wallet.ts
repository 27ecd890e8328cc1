import type { DataOf } from '#contract/endpoint.ts';
import { incomeReasons } from '#contract/ledger-reasons.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { WalletSummary } from '#contract/trading/portfolio.ts';
import type { trading } from '#contract/trading/trading.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { getBalances, getWalletBalances, type MemberClass, sumTransfers } from '#server/ledger/index.ts';
import { type Quotes, readQuotes } from '../orders/show-trade.ts';
import { findTotals, listPlaced, listPositions, type Placed, type Position, type Totals } from './portfolio-sql.ts';

/** The two balances, with one query of one member's accounts. */
export async function getWalletBalance(db: Db, memberId: bigint): Promise<DataOf<typeof trading.getWalletBalance>> {
  const { primary, profit } = await getWalletBalances(db, memberId);
  return { primary_wallet: toDollars(primary), profit_wallet: toDollars(profit) };
}

export type WalletMicros = { readonly balance: bigint; readonly inTrades: bigint };

/** The two wallets, with the amounts placed from each in trades that are not settled. */
export async function getWallets(db: Db, memberId: bigint): Promise<Record<WalletType, WalletMicros>> {
  const { balances, placed } = await inSnapshot(db, async (tx) => ({
    balances: await getBalances(tx, memberId),
    placed: await listPlaced(tx, memberId),
  }));
  const walletOf = (wallet: WalletType): WalletMicros => ({
    balance: balances[wallet],
    inTrades: placed.filter((sum) => sum.wallet === wallet).reduce((total, sum) => total + sum.amount, 0n),
  });
  return { primary: walletOf('primary'), profit: walletOf('profit') };
}

/** Figures shared by the portfolio and `wallet-summary`, in micros, so that they cannot disagree. */
export type MoneySums = {
  readonly balances: Record<MemberClass, bigint>;
  readonly placed: readonly Placed[];
  readonly totals: Totals;
  readonly netWorth: NetWorth;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly income: bigint;
  /** Credits less debits of operators' corrections. */
  readonly corrections: bigint;
  /** Trade fees of open trades. */
  readonly openFees: bigint;
};

/** @param tx a snapshot: trades settling between two queries would be missed or counted twice */
export async function readMoneySums(tx: Tx, memberId: bigint, quotes: Quotes): Promise<MoneySums> {
  const sum = (side: 'credit' | 'debit', reasons: Parameters<typeof sumTransfers>[1]['reasons']) =>
    sumTransfers(tx, { memberId, side, reasons });
  const balances = await getBalances(tx, memberId);
  const placed = await listPlaced(tx, memberId);
  return {
    balances,
    placed,
    totals: await findTotals(tx, memberId),
    netWorth: netWorthOf(balances, await listPositions(tx, memberId, quotes)),
    deposited: await sum('credit', ['deposit', 'deposit_allocated']),
    withdrawn: await sum('debit', ['withdrawal_payout', 'withdrawal_fee']),
    income: await sum('credit', incomeReasons),
    corrections: (await sum('credit', ['correction'])) - (await sum('debit', ['correction'])),
    openFees: placed.reduce((fees, trade) => fees + trade.fees, 0n),
  };
}

type NetWorth = {
  /** All ledger accounts of the member, plus the unrealised change of open positions. */
  readonly valueMicros: bigint;
  readonly positions: readonly Position[];
};

/** A member's net worth, with open positions at their current sale value (docs/product.md, section 3, "Portfolio"). */
function netWorthOf(balances: MoneySums['balances'], positions: readonly Position[]): NetWorth {
  const inLedger = Object.values(balances).reduce((sum, balance) => sum + balance, 0n);
  const change = positions.reduce((sum, position) => sum + position.change, 0n);
  return { valueMicros: inLedger + change, positions };
}

/** Sums over the life of an account (`GET auth/wallet-summary`). */
export async function getWalletSummary(db: Db, memberId: bigint): Promise<WalletSummary> {
  const quotes = await readQuotes(db);
  return inSnapshot(db, async (tx) => showSummary(await readMoneySums(tx, memberId, quotes)));
}

export function showSummary({ balances, placed, totals, netWorth, ...moved }: MoneySums): WalletSummary {
  return {
    deposited: toTotal(moved.deposited),
    withdrawn: toTotal(moved.withdrawn),
    in_trades: toDollars(placed.reduce((sum, { amount }) => sum + amount, 0n)),
    invested: toDollars(balances.investment),
    on_hold: toDollars(balances.withdrawal_hold),
    traded_volume: toTotal(totals.volume),
    realised: toTotal(totals.result),
    fees_paid: toTotal(totals.tradeFees + moved.openFees + totals.performanceFees),
    income: toTotal(moved.income),
    net_worth: toDollars(netWorth.valueMicros),
  };
}
