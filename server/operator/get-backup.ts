import type { Overview } from '#contract/operator/overview.ts';
import type { Context } from '#server/context.ts';
import { findRow } from '#server/db/rows.ts';

/** One day, plus an hour for the next nightly backup to finish. */
const OVERDUE_MS = 25 * 3_600_000;

/**
 * When the last base backup finished, as `deploy/backup` recorded it in the database. A backup that never ran is
 * overdue in live mode only: paper mode has nothing to lose.
 */
export async function getBackup({ db, config, now }: Context): Promise<Overview['backup']> {
  const last = await findRow(db)<{ at: Date }>`
    select finished_at as at from public.backup order by finished_at desc limit 1`;
  if (last === undefined) return { at: null, overdue: config.mode === 'live' };
  return { at: last.at.toISOString(), overdue: now().getTime() - last.at.getTime() > OVERDUE_MS };
}
