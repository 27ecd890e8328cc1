import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { type IncomeKind, type income, incomeKinds } from '#contract/income.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { sumIncomesBetween } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { sumResultsBetween } from '#server/trading/index.ts';
import { isTeamKind, reasonOf, teamReasons } from '../core/income-reasons.ts';
import { boundDay } from '../core/market-day.ts';
import { payoutCursor, readPayoutCursor } from '../core/payout-cursor.ts';
import { type IncomeDay, type IncomeDaysQuery, readIncomeDays, takeDays } from './read-income-days.ts';

type GetPayout = typeof income.getPayout;
export type PayoutFilter = Pick<QueryOf<GetPayout>, 'from' | 'to' | 'kind'>;
type Wanted = Pick<IncomeDaysQuery, 'kinds' | 'from' | 'to'>;

/**
 * A page of the statement of incomes: what each kind came to on each market day, newest first, and what each came to in the
 * whole period.
 *
 * @throws Refused period_turned when it ends before it begins
 */
export async function getPayout(
  { db }: Context,
  memberId: bigint,
  { cursor, limit, ...filter }: QueryOf<GetPayout>,
): Promise<DataOf<GetPayout>> {
  const wanted = readPayoutFilter(filter);
  const after = readCursor(cursor, readPayoutCursor);
  return inSnapshot(db, async (tx) => {
    const found = await takeDays(readIncomeDays(tx, { memberId, ...wanted, after, chunk: limit + 1 }), limit + 1);
    const { rows, nextCursor } = cutPage(found, limit, payoutCursor);
    return {
      items: rows.map(showDay),
      next_cursor: nextCursor,
      from: filter.from ?? null,
      to: filter.to ?? null,
      totals: await showTotals(tx, memberId, wanted),
    };
  });
}

const showDay = ({ day, kind, amountMicros, count }: IncomeDay): DataOf<GetPayout>['items'][number] => ({
  day,
  kind,
  amount: toDollars(amountMicros),
  count,
});

async function showTotals(tx: Db, memberId: bigint, { kinds, from, to }: Wanted): Promise<DataOf<GetPayout>['totals']> {
  const paid = await sumIncomesBetween(tx, memberId, teamReasons, { from, to });
  const results = await sumResultsBetween(tx, memberId, { from, to });
  const amountOf = (kind: IncomeKind) => (isTeamKind(kind) ? paid[reasonOf[kind]] : results[kind]);
  return kinds.map((kind) => ({ kind, amount: toDollars(amountOf(kind)) }));
}

/** @throws Refused period_turned */
export function readPayoutFilter({ from, to, kind }: PayoutFilter): Wanted {
  if (from !== undefined && to !== undefined && to < from) throw new Refused('period_turned');
  return {
    kinds: kind === undefined ? incomeKinds : [kind],
    from: from && boundDay(from),
    to: to && boundDay(to),
  };
}
