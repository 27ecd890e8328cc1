import { findLastAuditSeal } from './audit/index.ts';
import { BadConfig } from './config.ts';
import type { Context } from './context.ts';
import { findLastSeal, findWatermark } from './ledger/index.ts';

/**
 * Refuses a database whose seals cover later transactions than its cluster has had, as after `pg_restore` into a new one:
 * what this process wrote would lie among what is sealed, and no verification would pass again.
 *
 * @throws BadConfig in one line
 */
export async function refuseOtherCluster({ db }: Pick<Context, 'db'>): Promise<void> {
  const now = await findWatermark(db);
  const seals = [await findLastSeal(db), await findLastAuditSeal(db)];
  const later = seals.find((seal) => seal !== undefined && seal.horizon > now);
  if (later === undefined) return;
  throw new BadConfig(
    `DATABASE_URL: seals cover transactions up to ${later.horizon}, but this cluster is only at ${now}. Raise its number first, with pg_resetwal --next-transaction-id.`,
  );
}
