import type { Db } from '#server/db/connect.ts';
import { getRow } from '#server/db/rows.ts';

/** How many connections to this database wait for a lock. */
export const countLockWaits = async (db: Db): Promise<number> =>
  (
    await getRow(db)<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  ).n;
