import { type RawBuilder, sql } from 'kysely';
import { tradeFeeOf } from './opening-sql.ts';

const opening = (day: string) => sql`(select s.opens_at from trading.session s where s.day = ${day}::date)`;

/**
 * SQL for the trade fee of a trade `t` that settled in a session, by the formula of opening: at the session's rate, or at that of
 * the session in which it opened, if it was carried over.
 */
export const feeOfSettled = (day: string, tradeBps: number): RawBuilder<unknown> => sql`
  case when t.opened_at >= ${opening(day)} then ${tradeFeeOf(sql`t.amount`, tradeBps)}
    else (select div(t.amount::numeric * o.trade_fee_bps, 10000)::bigint from trading.session o
      where o.opens_at <= t.opened_at order by o.opens_at desc limit 1) end`;

/** The same at another rate. What was carried over paid its fee in an earlier session, which no plan changes any more. */
export const feeUnder = (day: string, tradeBps: number): RawBuilder<unknown> => sql`
  case when t.opened_at >= ${opening(day)} then ${tradeFeeOf(sql`t.amount`, tradeBps)} else t.fee end`;
