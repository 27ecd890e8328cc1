import type { Overview } from '#contract/operator/overview.ts';
import type { Context } from '#server/context.ts';
import { findRow } from '#server/db/rows.ts';

/** A day, and an hour for the backup of the next night to be finished. */
const OVERDUE_MS = 25 * 3_600_000;

/**
 * When the last base backup was finished, as `deploy/backup` told the database. One that was never taken is overdue in
 * live mode alone: paper has nothing to lose.
 */
export async function getBackup({ db, config, now }: Context): Promise<Overview['backup']> {
  const last = await findRow(db)<{ at: Date }>`
    select finished_at as at from public.backup order by finished_at desc limit 1`;
  if (last === undefined) return { at: null, overdue: config.mode === 'live' };
  return { at: last.at.toISOString(), overdue: now().getTime() - last.at.getTime() > OVERDUE_MS };
}
