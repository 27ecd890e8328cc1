import type { IncomeKind } from '#contract/income.ts';
import type { Db } from '#server/db/connect.ts';
import { listIncomes } from '#server/ledger/index.ts';
import { listResultDays } from '#server/trading/index.ts';
import { isTeamKind, reasonOf } from '../core/income-reasons.ts';
import { comparePayoutKeys, type PayoutKey } from '../core/payout-cursor.ts';

/** Sum of a kind on a market day, of `count` movements or trades. */
export type IncomeDay = PayoutKey & { readonly amountMicros: bigint; readonly count: number };

export type IncomeDaysQuery = {
  readonly memberId: bigint;
  readonly kinds: readonly IncomeKind[];
  /** Market days, inclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The last row of the previous page. */
  readonly after?: PayoutKey | undefined;
  /** Number of rows of a kind per query. */
  readonly chunk: number;
};

/**
 * All rows of a statement in order, read lazily: a merge of one list per kind, newest first. A page reads only its own
 * rows, and a whole lifetime needs no more memory than a page.
 */
export async function* readIncomeDays(db: Db, query: IncomeDaysQuery): AsyncGenerator<IncomeDay> {
  const { from, after } = query;
  const lists = query.kinds.map((kind) => daysOf(db, kind, { ...query, to: earlier(query.to, after?.day) }));
  const heads: Head[] = [];
  for (const list of lists) heads.push({ list, row: await next(list) });
  while (true) {
    const first = heads.reduce((best, head) => (isBefore(head.row, best.row) ? head : best));
    if (first.row === undefined || (from !== undefined && first.row.day < from)) return;
    if (after === undefined || comparePayoutKeys(after, first.row) < 0) yield first.row;
    first.row = await next(first.list);
  }
}

/** Takes the next rows of a statement, at most `most`, leaving the generator open. */
export async function takeDays(days: AsyncGenerator<IncomeDay>, most: number): Promise<IncomeDay[]> {
  const taken: IncomeDay[] = [];
  while (taken.length < most) {
    const row = await next(days);
    if (row === undefined) break;
    taken.push(row);
  }
  return taken;
}

type Head = { readonly list: AsyncGenerator<IncomeDay>; row: IncomeDay | undefined };

const next = async (list: AsyncGenerator<IncomeDay>): Promise<IncomeDay | undefined> => {
  const { done, value } = await list.next();
  return done ? undefined : value;
};

/** An exhausted list sorts last. */
const isBefore = (one: IncomeDay | undefined, other: IncomeDay | undefined): boolean =>
  one !== undefined && (other === undefined || comparePayoutKeys(one, other) < 0);

const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const daysOf = (db: Db, kind: IncomeKind, query: IncomeDaysQuery): AsyncGenerator<IncomeDay> =>
  isTeamKind(kind) ? byDay(kind, movements(db, reasonOf[kind], query)) : resultDays(db, kind, query);

async function* resultDays(db: Db, kind: 'trade' | 'compounding', query: IncomeDaysQuery): AsyncGenerator<IncomeDay> {
  let before: string | undefined;
  while (true) {
    const rows = await listResultDays(db, { ...query, kind, before, limit: query.chunk });
    for (const { day, trades, result } of rows) yield { day, kind, amountMicros: result, count: trades };
    if (rows.length < query.chunk) return;
    before = rows.at(-1)?.day;
  }
}

type Movement = { readonly day: string; readonly amountMicros: bigint };

async function* movements(
  db: Db,
  reason: Parameters<typeof listIncomes>[1]['reason'],
  query: IncomeDaysQuery,
): AsyncGenerator<Movement> {
  let before: bigint | undefined;
  while (true) {
    const rows = await listIncomes(db, { ...query, reason, before, limit: query.chunk });
    yield* rows;
    if (rows.length < query.chunk) return;
    before = rows.at(-1)?.id;
  }
}

/** Movements of one reason are posted in market time order, so that those of a day are adjacent. */
async function* byDay(kind: IncomeKind, list: AsyncGenerator<Movement>): AsyncGenerator<IncomeDay> {
  let current: IncomeDay | undefined;
  for await (const { day, amountMicros } of list) {
    if (current?.day === day) {
      current = { ...current, amountMicros: current.amountMicros + amountMicros, count: current.count + 1 };
      continue;
    }
    if (current !== undefined) yield current;
    current = { day, kind, amountMicros, count: 1 };
  }
  if (current !== undefined) yield current;
}
