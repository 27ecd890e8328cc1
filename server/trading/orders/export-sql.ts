import { sql } from 'kysely';
import { type ExportSection, inDollars } from '#server/db/export-sql.ts';
import { closeExecution, openExecution } from './trade-sql.ts';

/** How an exchange filled one side, in dollars per coin; null on paper. */
const executionColumns = (side: 'opening' | 'closing') => {
  const part = (name: 'fill' | 'net' | 'price') => sql`(${sql.ref(side)}->>${sql.lit(name)})::numeric`;
  const named = (name: string) => sql.ref(`${side}_${name}`);
  return sql`
    ${part('fill')}::text as ${named('exchange_fill')}, abs(${part('net')} - ${part('fill')})::text as ${named('exchange_fee')},
    abs(${part('price')} - ${part('net')})::text as ${named('markup')}`;
};

/** A member's trades, plans and results for their data export. */
export const exportTrading = (memberId: bigint): readonly ExportSection[] => [
  {
    name: 'trades',
    place: 'bigint',
    rows: sql`
      select id as place, id, symbol, wallet, state, ${inDollars(sql`amount`)} as amount, placed_at, requested_at,
        session_day::text as session, ${inDollars(sql`fee`)} as fee, opened_at, open_price::text, close_requested_at, close_cause,
        closed_at, close_price::text, close_reason, ${inDollars(sql`gross`)} as gross,
        ${inDollars(sql`performance_fee`)} as performance_fee, ${inDollars(sql`result`)} as result, cancelled_at, cancel_reason,
        plan_id, compounding, stop_loss_permille, take_profit_permille, trailing_stop_permille,
        ${executionColumns('opening')}, ${executionColumns('closing')}
      from trading.trade t
      cross join lateral (select ${openExecution} as opening, ${closeExecution} as closing) as execution
      where member_id = ${memberId}`,
  },
  {
    name: 'plans',
    place: 'bigint',
    rows: sql`
      select id as place, id, symbol, strategy, params, wallet, ${inDollars(sql`amount`)} as amount, compounding, stop_loss_permille,
        take_profit_permille, trailing_stop_permille, state, state_reason, created_at, redeemed_at,
        ${inDollars(sql`redeemed_amount`)} as redeemed_amount
      from trading.plan where member_id = ${memberId}`,
  },
  {
    name: 'plan_events',
    place: 'bigint',
    rows: sql`
      select e.id as place, e.plan_id, e.kind, e.reason, e.at, e.market_at
      from trading.plan_event e join trading.plan p on p.id = e.plan_id where p.member_id = ${memberId}`,
  },
  {
    name: 'results_by_session',
    place: 'date',
    rows: sql`
      select session_day as place, session_day::text as session, trades, winning, losing, ${inDollars(sql`volume`)} as volume,
        ${inDollars(sql`result`)} as result, ${inDollars(sql`trade_fees`)} as trade_fees,
        ${inDollars(sql`performance_fees`)} as performance_fees, compounding_trades,
        ${inDollars(sql`compounding_volume`)} as compounding_volume, ${inDollars(sql`compounding_result`)} as compounding_result
      from trading.daily_result where member_id = ${memberId}`,
  },
  {
    name: 'results_in_all',
    place: 'bigint',
    rows: sql`
      select member_id as place, trades, ${inDollars(sql`result`)} as result
      from trading.lifetime_result where member_id = ${memberId}`,
  },
  {
    name: 'net_worth_by_session',
    place: 'date',
    rows: sql`
      select session_day as place, session_day::text as session, ${inDollars(sql`value`)} as net_worth
      from trading.equity where member_id = ${memberId}`,
  },
];
