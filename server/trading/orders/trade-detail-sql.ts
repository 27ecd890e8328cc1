import { sql } from 'kysely';
import type { ReasonCode, ReasonFacts } from '#contract/trading/strategy.ts';
import type { Db } from '#server/db/connect.ts';

/** What a trade's detail has beyond its row: the terms of its session, and the closing mark its session gave its asset. */
export type TradeTerms = {
  readonly cancelled_at: Date | null;
  /** `2026-03-04`; null while it is queued, and when it was cancelled. */
  readonly session_day: string | null;
  /** Ticks after this market time can cross its stops. */
  readonly stops_since: Date | null;
  readonly trade_bps: number | null;
  readonly performance_bps: number | null;
  readonly mark: string | null;
  readonly is_late: boolean | null;
  readonly marked_at: Date | null;
  /** A stop was sold at its level, and not at a mark. */
  readonly sold_at_level: boolean;
};

/** Of a trade of this member; undefined for a foreign one. */
export async function findTradeTerms(db: Db, memberId: bigint, id: bigint): Promise<TradeTerms | undefined> {
  const { rows } = await sql<TradeTerms>`
    select t.cancelled_at, t.session_day::text as session_day, t.stops_since, s.trade_fee_bps as trade_bps, s.performance_fee_bps as performance_bps,
      m.mark::text as mark, m.is_late, m.marked_at,
      coalesce(t.close_price = t.close_limit, false) as sold_at_level
    from trading.trade t
    left join trading.session s on s.day = t.session_day
    left join trading.closing_mark m on m.session_day = t.session_day and m.symbol = t.symbol
      and t.close_reason in ('session_close', 'late_price')
    where t.id = ${id} and t.member_id = ${memberId}`.execute(db);
  return rows[0];
}

export type TradeDecision = {
  readonly at: Date;
  readonly side: 'entry' | 'exit';
  readonly reason: ReasonCode;
  readonly facts: ReasonFacts;
};

/**
 * What the strategy of a plan's trade decided when it was placed and when its sale was asked for. Both are dated just before
 * the end of the candle the strategy looked at, or at it.
 */
export async function listTradeDecisions(db: Db, id: bigint): Promise<TradeDecision[]> {
  const { rows } = await sql<TradeDecision>`
    select d.at, d.side, d.reason, d.facts
    from trading.trade t
    join trading.plan p on p.id = t.plan_id
    join trading.decision d on d.symbol = p.symbol and d.strategy = p.strategy and d.params = p.params
      and ((d.side = 'entry' and d.action = 'enter' and d.at between t.requested_at and t.requested_at + interval '1 second')
        or (d.side = 'exit' and d.action = 'exit' and t.close_cause = 'strategy'
          and d.at between t.close_requested_at and t.close_requested_at + interval '1 second'))
    where t.id = ${id}
    order by d.at, d.side`.execute(db);
  return rows;
}
