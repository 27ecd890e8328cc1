import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** Results of compounding plans' trades, and of all others. */
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

const settledColumns = sql`
  t.id, t.session_day::text as "sessionDay", t.symbol, t.amount, t.fee, t.performance_fee as "performanceFee", t.result,
  t.closed_at as "closedAt"`;

/**
 * Newest first. Trades of compounding plans are found by way of the member's plans, each of which is one range of an index, so
 * that a few among many others cost no more to find.
 */
export async function listSettledRows(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: ResultKind;
    readonly before: bigint | undefined;
    readonly limit: number;
  },
): Promise<SettledTrade[]> {
  const unseen = query.before === undefined ? sql`` : sql`and t.id < ${query.before}`;
  const { rows } = await sql<SettledTrade>`
    ${query.kind === 'compounding' ? ofPlans(query, unseen) : ofOthers(query, unseen)}
    order by t.id desc limit ${query.limit}`.execute(db);
  return rows;
}

type Part = { readonly memberId: bigint; readonly limit: number };

const ofOthers = ({ memberId }: Part, unseen: RawBuilder<unknown>) => sql`
  select ${settledColumns} from trading.trade t
  where t.member_id = ${memberId} and t.state = 'settled' and t.compounding is not true ${unseen}`;

const ofPlans = ({ memberId, limit }: Part, unseen: RawBuilder<unknown>) => sql`
  select ${settledColumns}
  from trading.plan p cross join lateral (
    select * from trading.trade t
    where t.plan_id = p.id and t.plan_id is not null and t.state = 'settled' ${unseen}
    order by t.id desc limit ${limit}) as t
  where p.member_id = ${memberId} and p.compounding`;

/** First days of the periods that are running; market days, as `2026-03-04`. */
export type ResultPeriods = { readonly today: string; readonly week: string; readonly month: string };

/** A member's sums of each session, as one row a kind. */
const byKind = (memberId: bigint): RawBuilder<unknown> => sql`
  trading.daily_result d
  cross join lateral (values
    ('trade', d.trades - d.compounding_trades, d.result - d.compounding_result),
    ('compounding', d.compounding_trades, d.compounding_result)) as k(kind, trades, result)
  where d.member_id = ${memberId}`;

type PeriodSums = {
  readonly kind: ResultKind;
  readonly today: bigint;
  readonly week: bigint;
  readonly month: bigint;
  readonly lifetime: bigint;
};

export async function listPeriodSums(db: Db, memberId: bigint, since: ResultPeriods): Promise<PeriodSums[]> {
  const sumSince = (day: string) => sql`
    coalesce(sum(k.result) filter (where d.session_day >= ${day}::date), 0)::bigint`;
  const { rows } = await sql<PeriodSums>`
    select k.kind, ${sumSince(since.today)} as today, ${sumSince(since.week)} as week, ${sumSince(since.month)} as month,
      sum(k.result)::bigint as lifetime
    from ${byKind(memberId)} group by k.kind`.execute(db);
  return rows;
}

export async function listSumsBetween(
  db: Db,
  memberId: bigint,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<{ readonly kind: ResultKind; readonly result: bigint }[]> {
  const { rows } = await sql<{ kind: ResultKind; result: bigint }>`
    select k.kind, sum(k.result)::bigint as result
    from ${byKind(memberId)} ${from === undefined ? sql`` : sql`and d.session_day >= ${from}::date`} ${upTo(to)}
    group by k.kind`.execute(db);
  return rows;
}

const upTo = (to: string | undefined) => (to === undefined ? sql`` : sql`and d.session_day <= ${to}::date`);

export type ResultDay = { readonly day: string; readonly trades: number; readonly result: bigint };

export async function listResultDayRows(
  db: Db,
  query: {
    readonly memberId: bigint;
    readonly kind: ResultKind;
    readonly to?: string | undefined;
    readonly before?: string | undefined;
    readonly limit: number;
  },
): Promise<ResultDay[]> {
  const { rows } = await sql<ResultDay>`
    select d.session_day::text as day, k.trades, k.result
    from ${byKind(query.memberId)} and k.kind = ${query.kind} and k.trades > 0 ${upTo(query.to)}
      ${query.before === undefined ? sql`` : sql`and d.session_day < ${query.before}::date`}
    order by d.session_day desc limit ${query.limit}`.execute(db);
  return rows;
}
