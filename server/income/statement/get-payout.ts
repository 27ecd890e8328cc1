import { csvLines } from '#contract/csv.ts';
import type { DataOf, QueryOf } from '#contract/endpoint.ts';
import { type IncomeKind, type income, incomeKinds } from '#contract/income.ts';
import { toTotal } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { cutPage, readCursor } from '#server/cursor.ts';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { sumIncomesBetween } from '#server/ledger/index.ts';
import { Refused } from '#server/refused.ts';
import { sumResultsBetween } from '#server/trading/index.ts';
import { incomeNames, isTeamKind, reasonOf, teamReasons } from '../core/income-reasons.ts';
import { payoutCursor, readPayoutCursor } from '../core/payout-cursor.ts';
import { boundDay } from '../core/periods.ts';
import { type IncomeDay, type IncomeDaysQuery, readIncomeDays, takeDays } from './read-income-days.ts';

type GetPayout = typeof income.getPayout;
type PayoutFilter = Pick<QueryOf<GetPayout>, 'from' | 'to' | 'kind'>;
type Range = Pick<IncomeDaysQuery, 'kinds' | 'from' | 'to'>;

/**
 * A page of the income statement: sums by kind and market day, newest first, with totals by kind for the whole period.
 *
 * @throws Refused period_turned when it ends before it begins
 */
export async function getPayout(
  { db }: Context,
  memberId: bigint,
  { cursor, limit, ...filter }: QueryOf<GetPayout>,
): Promise<DataOf<GetPayout>> {
  const range = readPayoutFilter(filter);
  const after = readCursor(cursor, readPayoutCursor);
  return inSnapshot(db, async (tx) => {
    const found = await takeDays(readIncomeDays(tx, { memberId, ...range, after, chunk: limit + 1 }), limit + 1);
    const { rows, nextCursor } = cutPage(found, limit, payoutCursor);
    return {
      items: rows.map(showDay),
      next_cursor: nextCursor,
      from: filter.from ?? null,
      to: filter.to ?? null,
      totals: await showTotals(tx, memberId, range),
    };
  });
}

const showDay = ({ day, kind, amountMicros, count }: IncomeDay): DataOf<GetPayout>['items'][number] => ({
  day,
  kind,
  amount: toTotal(amountMicros),
  count,
});

async function showTotals(tx: Db, memberId: bigint, { kinds, from, to }: Range): Promise<DataOf<GetPayout>['totals']> {
  const paid = await sumIncomesBetween(tx, memberId, teamReasons, { from, to });
  const results = await sumResultsBetween(tx, memberId, { from, to });
  const amountOf = (kind: IncomeKind) => (isTeamKind(kind) ? paid[reasonOf[kind]] : results[kind]);
  return kinds.map((kind) => ({ kind, amount: toTotal(amountOf(kind)) }));
}

/** @throws Refused period_turned */
function readPayoutFilter({ from, to, kind }: PayoutFilter): Range {
  if (from !== undefined && to !== undefined && to < from) throw new Refused('period_turned');
  return {
    kinds: kind === undefined ? incomeKinds : [kind],
    from: from && boundDay(from),
    to: to && boundDay(to),
  };
}

const CHUNK = 500;

/**
 * The whole income statement as CSV, streamed because it may cover a member's lifetime.
 *
 * @throws Refused period_turned, before the first line
 */
export function writePayout(
  { db }: Context,
  memberId: bigint,
  filter: PayoutFilter,
): { readonly name: string; readonly text: AsyncIterable<string> } {
  const range = readPayoutFilter(filter);
  const bounds = [filter.from ?? 'beginning', filter.to ?? 'today'].join('-to-');
  return {
    name: `income-statement-${bounds}.csv`,
    text: writeDays(readIncomeDays(db, { memberId, ...range, chunk: CHUNK })),
  };
}

async function* writeDays(days: AsyncGenerator<IncomeDay>): AsyncGenerator<string> {
  yield csvLines([['Market day', 'Income', 'Amount (USD)', 'Count']]);
  while (true) {
    const rows = await takeDays(days, CHUNK);
    if (rows.length === 0) return;
    yield csvLines(
      rows.map(({ day, kind, amountMicros, count }) => [day, incomeNames[kind], toTotal(amountMicros), count]),
    );
  }
}
