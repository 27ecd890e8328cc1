import { sql } from 'kysely';
import type { Db } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';

/**
 * For servers on real time, where a test cannot wait for a session: replaces all sessions with one that opened an hour
 * ago and stays open for at least five hours. The next session is on another day.
 */
export const openSessionNow = (db: Db): Promise<void> =>
  inTransaction(db, async (tx) => {
    await sql`lock table trading.session in exclusive mode`.execute(tx);
    await sql`insert into trading.follower (followed_until) values (now()) on conflict do nothing`.execute(tx);
    await sql`delete from trading.session`.execute(tx);
    await sql`
      insert into trading.session (day, opens_at, closes_at, state, opened_at, fee_plan_id, trade_fee_bps, performance_fee_bps)
      select today.at::date, now() - interval '1 hour',
        greatest(now() + interval '5 hours', (today.at::date + time '17:31') at time zone 'utc'), 'open',
        now() - interval '1 hour', id, trade_fee_bps, performance_fee_bps
      from trading.fee_plan, (select now() at time zone 'utc' as at) as today order by id desc limit 1`.execute(tx);
  });
