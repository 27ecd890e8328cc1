import type { DataOf } from '#contract/endpoint.ts';
import { type IncomeKind, type income, incomeKinds } from '#contract/income.ts';
import { toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type IncomeSums, sumIncomes } from '#server/ledger/index.ts';
import { getMarketTime } from '#server/market/index.ts';
import { sumResults } from '#server/trading/index.ts';
import { isTeamKind, reasonOf, resultKinds, teamKinds, teamReasons } from '../core/income-reasons.ts';
import { monthOf, weekOf } from '../core/periods.ts';

type Earnings = DataOf<typeof income.getEarnings>;

/**
 * A member's incomes of today, this week, this month and lifetime, by market time (docs/product.md, section 3, "Two
 * clocks"). Team incomes are the ledger's payments; results of trades and plans are dated by their sessions.
 */
export async function getEarnings({ db }: Context, memberId: bigint): Promise<Earnings> {
  return inSnapshot(db, async (tx) => {
    const marketAt = await getMarketTime(tx);
    const today = marketAt.toISOString().slice(0, 10);
    const since = { today, week: weekOf(today).startsOn, month: monthOf(today).startsOn };
    const paid = await sumIncomes(tx, memberId, teamReasons, since);
    const results = await sumResults(tx, memberId, since);
    const sumsOf = (kind: IncomeKind): IncomeSums => (isTeamKind(kind) ? paid[reasonOf[kind]] : results[kind]);
    return {
      market_time: marketAt.toISOString(),
      kinds: incomeKinds.map((kind) => ({ kind, ...showSums([sumsOf(kind)]) })),
      team: showSums(teamKinds.map(sumsOf)),
      results: showSums(resultKinds.map(sumsOf)),
    };
  });
}

function showSums(all: readonly IncomeSums[]): Earnings['team'] {
  const add = (period: keyof IncomeSums) => toTotal(all.reduce((sum, sums) => sum + sums[period], 0n));
  return { today: add('today'), week: add('week'), month: add('month'), lifetime: add('lifetime') };
}
