import type { Statement } from '#contract/funds/deposits.ts';
import { movementKinds, type StatementWallet, statementWallets } from '#contract/ledger-reasons.ts';
import { toDollars, toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type StatementSum, type StatementTotals, sumStatement } from '#server/ledger/index.ts';
import { classOfWallet, readStatementFilter, type StatementFilter } from './list-movements.ts';

/**
 * Totals of the lines that `listMovements` lists for the same filter: per wallet with opening and closing balance, and
 * per kind that occurs, in the order of `movementKinds`.
 *
 * @throws Refused period_turned
 */
export async function getStatement({ db }: Context, memberId: bigint, filter: StatementFilter): Promise<Statement> {
  const query = readStatementFilter(filter);
  const totals = await inSnapshot(db, (tx) => sumStatement(tx, { memberId, ...query }));
  return {
    from: filter.from ?? null,
    to: totals.to.toISOString(),
    wallets: statementWallets.map((wallet) => showWallet(wallet, totals)),
    kinds: movementKinds
      .map((kind) => ({ kind, ...addUp(totals.sums.filter((sum) => sum.reason === kind)) }))
      .filter(({ movements }) => movements > 0),
    ...addUp(totals.sums),
  };
}

function showWallet(
  wallet: StatementWallet,
  { opening, closing, sums }: StatementTotals,
): Statement['wallets'][number] {
  const name = classOfWallet[wallet];
  const { received, spent } = addUp(sums.filter((sum) => sum.class === name));
  return { wallet, opening: toDollars(opening[name]), received, spent, closing: toDollars(closing[name]) };
}

function addUp(sums: readonly StatementSum[]): Pick<Statement, 'movements' | 'received' | 'spent'> {
  return {
    movements: sums.reduce((total, sum) => total + sum.lines, 0),
    received: toTotal(sums.reduce((total, sum) => total + sum.receivedMicros, 0n)),
    spent: toTotal(sums.reduce((total, sum) => total + sum.spentMicros, 0n)),
  };
}
