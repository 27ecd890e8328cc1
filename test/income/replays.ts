import type { Context } from '#server/context.ts';
import { listValues } from '#server/db/rows.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findDiscrepancy, listAllChecks, replaySession } from '#server/income/index.ts';
import { checkIncomes } from './check-incomes.ts';

/**
 * Each session's results follow from its trades, prices and fills, and its incomes from these and its costs: by replay,
 * by the independent model, and by reconciliation.
 *
 * @returns what does not
 */
export async function findIncomeFaults(context: Context): Promise<unknown[]> {
  const { db } = context;
  const days = await listValues(db)<string>`select day::text from trading.session where state = 'settled' order by day`;
  const faults: unknown[] = await checkIncomes(db);
  for (const day of days)
    for (const [what, hash] of Object.entries(await replaySession(context, day)))
      if (hash?.replayed !== hash?.stored) faults.push({ day, what, ...hash });
  const checks = await inSnapshot(db, listAllChecks);
  return [...faults, ...checks.flatMap((check) => findDiscrepancy(check) ?? [])];
}
