import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { addCounts, lockHorizon } from './count-sql.ts';

/**
 * Sums up who signed up since the last time, so that counting a team stays one short read. May be run at any time, by several
 * workers; counts are the same before and after.
 *
 * @returns the transaction up to which members are summed up now
 */
export const sumTeamCounts = ({ db }: Context): Promise<bigint> =>
  inTransaction(db, async (tx) => addCounts(tx, await lockHorizon(tx)));
