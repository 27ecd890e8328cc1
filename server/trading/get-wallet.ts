import type { DataOf } from '#contract/endpoint.ts';
import { toDollars } from '#contract/money.ts';
import type { WalletType } from '#contract/rules.ts';
import type { trading } from '#contract/trading.ts';
import type { Db } from '#server/db/connect.ts';
import { getBalances, listStatement, type StatementLine } from '#server/ledger/index.ts';
import { type HoldMovement, heldByWallet } from './core/held.ts';
import { listPlaced } from './portfolio-sql.ts';

const LAST_MOVEMENTS = 10;
/** Withdrawals wait for a person; a member has a few of them at a time. */
const HOLD_MOVEMENTS = 300;

/** The two balances: one query of one member's accounts. */
export async function getWalletBalance(db: Db, memberId: bigint): Promise<DataOf<typeof trading.getWalletBalance>> {
  const { primary, profit } = await getBalances(db, memberId);
  return { primary_wallet: toDollars(primary), profit_wallet: toDollars(profit) };
}

/** The two wallets with what is held for withdrawals and in trades (amounts as placed), and the last movements. */
export async function getWallet(db: Db, memberId: bigint): Promise<DataOf<typeof trading.getWallet>> {
  const [balances, placed, lines] = await Promise.all([
    getBalances(db, memberId),
    listPlaced(db, memberId),
    listStatement(db, { memberId, classes: ['primary', 'profit'], limit: LAST_MOVEMENTS }),
  ]);
  const held = balances.withdrawal_hold === 0n ? heldByWallet([]) : heldByWallet(await listHolds(db, memberId));
  const inTrade = (wallet: WalletType) =>
    placed.filter((sum) => sum.wallet === wallet).reduce((total, sum) => total + sum.amount, 0n);
  const show = (wallet: WalletType) => ({
    balance: toDollars(balances[wallet]),
    held: toDollars(held[wallet]),
    in_trade: toDollars(inTrade(wallet)),
  });
  return { primary: show('primary'), profit: show('profit'), last_movements: lines.map(showLine) };
}

const showLine = (line: StatementLine) => ({
  id: line.position.toString(),
  kind: line.reason,
  wallet: line.class,
  amount: toDollars(line.signedMicros),
  created_at: line.createdAt.toISOString(),
});

/** Movements of the hold account with the wallet each hold was taken from. */
async function listHolds(db: Db, memberId: bigint): Promise<HoldMovement[]> {
  const [taken, moved] = await Promise.all([
    listStatement(db, {
      memberId,
      classes: ['primary', 'profit'],
      reasons: ['withdrawal_hold'],
      limit: HOLD_MOVEMENTS,
    }),
    listStatement(db, { memberId, classes: ['withdrawal_hold'], limit: HOLD_MOVEMENTS }),
  ]);
  const walletOf = new Map(taken.map((line) => [line.transferId, line.class as WalletType]));
  return moved.map((line) => ({
    reference: line.reference,
    wallet: walletOf.get(line.transferId) ?? null,
    signed: line.signedMicros,
  }));
}
