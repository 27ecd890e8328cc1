import type { DataOf } from '#contract/endpoint.ts';
import type { funds } from '#contract/funds/deposits.ts';
import { toDollars } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { getRow, listRows } from '#server/db/rows.ts';
import { listStatement, type StatementLine } from '#server/ledger/index.ts';
import { getWallets } from '#server/trading/index.ts';
import { isOpenDeposit } from '../deposits/sql.ts';
import { findAddress } from '../withdrawals/save-address.ts';
import { isOpenWithdrawal } from '../withdrawals/withdrawal.ts';

const LAST_MOVEMENTS = 10;

/** The two wallets (`GET auth/wallet`), with the payout address and pending deposits and withdrawals. */
export async function getWallet({ db }: Context, memberId: bigint): Promise<DataOf<typeof funds.getWallet>> {
  const [wallets, arriving, leaving, address, lines] = await Promise.all([
    getWallets(db, memberId),
    sumArriving(db, memberId),
    sumLeaving(db, memberId),
    findAddress(db, memberId),
    listStatement(db, { memberId, classes: ['primary', 'profit'], limit: LAST_MOVEMENTS }),
  ]);
  const show = (wallet: WalletType) => ({
    balance: toDollars(wallets[wallet].balance),
    held: toDollars(leaving.find((sum) => sum.wallet === wallet)?.micros ?? 0n),
    in_trade: toDollars(wallets[wallet].inTrades),
  });
  return {
    primary: show('primary'),
    profit: show('profit'),
    arriving: { count: arriving.count, amount: toDollars(arriving.micros) },
    leaving: {
      count: leaving.reduce((total, { count }) => total + count, 0),
      amount: toDollars(leaving.reduce((total, { micros }) => total + micros, 0n)),
    },
    address,
    last_movements: lines.map(showLine),
  };
}

const showLine = (line: StatementLine) => ({
  id: line.position.toString(),
  kind: line.reason,
  wallet: line.class,
  amount: toDollars(line.signedMicros),
  created_at: line.createdAt.toISOString(),
});

type Pending = { readonly count: number; readonly micros: bigint };

/** Deposits that can still be credited: payable ones with the requested amount, those in review with the held one. */
const sumArriving = (db: Db, memberId: bigint) =>
  getRow(db)<Pending>`
    select count(*)::int as count, coalesce(sum(case
      when state = 'review' then booked_micros - coalesce(credited_micros, 0) - refunded_micros
      else amount_micros end), 0)::bigint as micros
    from funds.deposit
    where member_id = ${memberId} and (${isOpenDeposit} or state = 'review')`;

/** Open withdrawals by wallet; no row for a wallet without any. */
const sumLeaving = (db: Db, memberId: bigint) =>
  listRows(db)<Pending & { wallet: WalletType }>`
    select wallet, count(*)::int as count, sum(amount_micros)::bigint as micros
    from funds.withdrawal
    where member_id = ${memberId} and ${isOpenWithdrawal}
    group by wallet`;
