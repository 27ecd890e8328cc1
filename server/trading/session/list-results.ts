import type { Db } from '#server/db/connect.ts';
import {
  listPeriodSums,
  listResultDayRows,
  listSettledRows,
  listSumsBetween,
  type ResultDay,
  type ResultKind,
  type ResultPeriods,
  type SettledTrade,
} from './result-sql.ts';

export type { ResultDay, ResultKind, ResultPeriods, SettledTrade };

export type ResultSums = {
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly lifetime: bigint;
};

const nothing: ResultSums = { today: 0n, week: 0n, month: 0n, lifetime: 0n };

/**
 * A member's settled trades of one kind, newest first: those of compounding plans, or all others (docs/product.md,
 * section 6).
 *
 * @param query.before the id of the last trade already seen
 */
export function listSettledTrades(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: ResultKind;
    readonly before: bigint | undefined;
    readonly limit: number;
  },
): Promise<SettledTrade[]> {
  return listSettledRows(db, query);
}

/**
 * What a member's settled trades came to, since the first days of the running periods and ever, out of one row a session.
 * `sumResults(db, 17n, { today: '2026-03-04', week: '2026-03-02', month: '2026-03-01' })`
 */
export async function sumResults(
  db: Db,
  memberId: bigint,
  since: ResultPeriods,
): Promise<Record<ResultKind, ResultSums>> {
  const rows = await listPeriodSums(db, memberId, since);
  const found = new Map(rows.map(({ kind, ...sums }) => [kind, sums]));
  return { trade: found.get('trade') ?? nothing, compounding: found.get('compounding') ?? nothing };
}

/** The same of one period by market days, both included; a bound that is absent does not bound. */
export async function sumResultsBetween(
  db: Db,
  memberId: bigint,
  period: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Record<ResultKind, bigint>> {
  const rows = await listSumsBetween(db, memberId, period);
  const found = new Map(rows.map(({ kind, result }) => [kind, result]));
  return { trade: found.get('trade') ?? 0n, compounding: found.get('compounding') ?? 0n };
}

/**
 * Sessions in which trades of a kind were settled, newest first, with what they came to.
 *
 * @param query.to the last market day, `query.before` the last one already seen
 */
export function listResultDays(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: ResultKind;
    readonly to?: string | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<ResultDay[]> {
  return listResultDayRows(db, query);
}
