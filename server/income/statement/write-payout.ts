import { csvLines } from '#contract/csv.ts';
import { toDollars } from '#contract/money.ts';
import type { Context } from '#server/context.ts';
import { incomeNames } from '../core/income-reasons.ts';
import { type PayoutFilter, readPayoutFilter } from './get-payout.ts';
import { type IncomeDay, readIncomeDays, takeDays } from './read-income-days.ts';

const ROWS_AT_ONCE = 500;

/**
 * The whole statement of incomes as the text of a CSV file, made while it is read: it can be as long as a member's life here.
 *
 * @throws Refused period_turned, before the first line
 */
export function writePayout(
  { db }: Context,
  memberId: bigint,
  filter: PayoutFilter,
): { readonly name: string; readonly text: AsyncIterable<string> } {
  const wanted = readPayoutFilter(filter);
  const bounds = [filter.from ?? 'beginning', filter.to ?? 'today'].join('-to-');
  return {
    name: `income-statement-${bounds}.csv`,
    text: writeDays(readIncomeDays(db, { memberId, ...wanted, chunk: ROWS_AT_ONCE })),
  };
}

async function* writeDays(days: AsyncGenerator<IncomeDay>): AsyncGenerator<string> {
  yield csvLines([['Market day', 'Income', 'Amount', 'Count']]);
  while (true) {
    const rows = await takeDays(days, ROWS_AT_ONCE);
    if (rows.length === 0) return;
    yield csvLines(
      rows.map(({ day, kind, amountMicros, count }) => [day, incomeNames[kind], toDollars(amountMicros), count]),
    );
  }
}
