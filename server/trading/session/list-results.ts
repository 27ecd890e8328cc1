import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { listRows } from '#server/db/rows.ts';

/** Results of compounding plans' trades, and of all other trades (docs/product.md, section 6). */
export type ResultKind = 'trade' | 'compounding';

export type SettledTrade = {
  readonly id: bigint;
  readonly sessionDay: string;
  readonly symbol: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly performanceFee: bigint;
  readonly result: bigint;
  /** Market time. */
  readonly closedAt: Date;
};

type SettledQuery = {
  readonly memberId: bigint;
  readonly kind: ResultKind;
  /** The id of the last trade already seen. */
  readonly before: bigint | undefined;
  readonly limit: number;
};

/**
 * A member's settled trades of one kind, newest first. Compounding trades are read through the plans' index ranges, so
 * finding a few among many stays cheap.
 */
export async function listSettledTrades(db: Db, query: SettledQuery): Promise<SettledTrade[]> {
  const unseen = query.before === undefined ? sql`` : sql`and t.id < ${query.before}`;
  return listRows(db)<SettledTrade>`
    ${query.kind === 'compounding' ? ofPlans(query, unseen) : ofOtherTrades(query, unseen)}
    order by t.id desc limit ${query.limit}`;
}

const settledColumns = sql`
  t.id, t.session_day::text as "sessionDay", t.symbol, t.amount, t.fee, t.performance_fee as "performanceFee", t.result,
  t.closed_at as "closedAt"`;

const ofOtherTrades = ({ memberId }: SettledQuery, unseen: RawBuilder<unknown>) => sql`
  select ${settledColumns} from trading.trade t
  where t.member_id = ${memberId} and t.state = 'settled' and t.compounding is not true ${unseen}`;

const ofPlans = ({ memberId, limit }: SettledQuery, unseen: RawBuilder<unknown>) => sql`
  select ${settledColumns}
  from trading.plan p cross join lateral (
    select * from trading.trade t
    where t.plan_id = p.id and t.plan_id is not null and t.state = 'settled' ${unseen}
    order by t.id desc limit ${limit}) as t
  where p.member_id = ${memberId} and p.compounding`;

/** First days of the current periods, as market days: `2026-03-04`. */
type ResultPeriods = { readonly today: string; readonly week: string; readonly month: string };

export type ResultSums = {
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly lifetime: bigint;
};

const nothing: ResultSums = { today: 0n, week: 0n, month: 0n, lifetime: 0n };

/** A member's results per current period and lifetime, from one row per session. */
export async function sumResults(
  db: Db,
  memberId: bigint,
  since: ResultPeriods,
): Promise<Record<ResultKind, ResultSums>> {
  const sumSince = (day: string) => sql`
    coalesce(sum(k.result) filter (where d.session_day >= ${day}::date), 0)::bigint`;
  const rows = await listRows(db)<ResultSums & { readonly kind: ResultKind }>`
    select k.kind, ${sumSince(since.today)} as today, ${sumSince(since.week)} as week, ${sumSince(since.month)} as month,
      sum(k.result)::bigint as lifetime
    from ${byKind(memberId)} group by k.kind`;
  const found = new Map(rows.map(({ kind, ...sums }) => [kind, sums]));
  return { trade: found.get('trade') ?? nothing, compounding: found.get('compounding') ?? nothing };
}

/** A member's results between two market days, inclusive; an absent bound is open. */
export async function sumResultsBetween(
  db: Db,
  memberId: bigint,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Record<ResultKind, bigint>> {
  const rows = await listRows(db)<{ kind: ResultKind; result: bigint }>`
    select k.kind, sum(k.result)::bigint as result
    from ${byKind(memberId)} ${from === undefined ? sql`` : sql`and d.session_day >= ${from}::date`} ${upTo(to)}
    group by k.kind`;
  const found = new Map(rows.map(({ kind, result }) => [kind, result]));
  return { trade: found.get('trade') ?? 0n, compounding: found.get('compounding') ?? 0n };
}

export type ResultDay = { readonly day: string; readonly trades: number; readonly result: bigint };

/** Sessions in which trades of a kind were settled, newest first, with their results. */
export const listResultDays = (
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: ResultKind;
    /** The last market day. */
    readonly to?: string | undefined;
    /** The last day already seen. */
    readonly before?: string | undefined;
    readonly limit: number;
  },
) =>
  listRows(db)<ResultDay>`
    select d.session_day::text as day, k.trades, k.result
    from ${byKind(query.memberId)} and k.kind = ${query.kind} and k.trades > 0 ${upTo(query.to)}
      ${query.before === undefined ? sql`` : sql`and d.session_day < ${query.before}::date`}
    order by d.session_day desc limit ${query.limit}`;

/** A member's sums of each session, as one row per kind. */
const byKind = (memberId: bigint): RawBuilder<unknown> => sql`
  trading.daily_result d
  cross join lateral (values
    ('trade', d.trades - d.compounding_trades, d.result - d.compounding_result),
    ('compounding', d.compounding_trades, d.compounding_result)) as k(kind, trades, result)
  where d.member_id = ${memberId}`;

const upTo = (to: string | undefined) => (to === undefined ? sql`` : sql`and d.session_day <= ${to}::date`);
