import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';

/** For those who check the books: SQL for `id, gross` of the settled trades of a session, or of all there are. */
export const settledTrades = (day: string | undefined): RawBuilder<unknown> => sql`
  select t.id, t.gross from trading.trade t
  where t.state = 'settled' and ${day === undefined ? sql`true` : sql`t.session_day = ${day}::date`}`;

/** SQL for what trades hold in escrow: all of it while they wait, what the fee left while they are open. */
export const escrowedAmount: RawBuilder<bigint> = sql<bigint>`(
  coalesce((select sum(t.amount) from trading.trade t where t.state = 'queued'), 0)
  + coalesce((select sum(t.amount - t.fee) from trading.trade t where t.state = 'open'), 0))::bigint`;

/** SQL for one row `trade_fees, performance_fees`: what the sessions after a day collected so far; null stands before them all. */
export const feesAfter = (day: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select (coalesce(sum(d.trade_fees), 0) + coalesce((select sum(t.fee) from trading.trade t where t.state = 'open'), 0))::bigint as trade_fees,
    coalesce(sum(d.performance_fees), 0)::bigint as performance_fees
  from trading.daily_result d where d.session_day > coalesce(${day}::date, '-infinity')`;

/**
 * The first trade of a session, before whose placing nothing of the session can have been posted. `id + 0`: the primary key
 * must not be walked from its beginning until a trade of this session comes.
 */
export async function findFirstTradeId(db: Db, day: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ id: bigint | null }>`
    select min(t.id + 0) as id from trading.trade t where t.state = 'settled' and t.session_day = ${day}::date`.execute(
    db,
  );
  return rows[0]?.id ?? undefined;
}
