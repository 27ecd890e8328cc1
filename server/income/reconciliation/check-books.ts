import type { Tx } from '#server/db/connect.ts';
import { bookFault } from '../core/book-check.ts';
import { listPeriodChecks, listSessionChecks, listWholeChecks } from './list-book-checks.ts';

/** A run that has paid: a session's bonus run, or a week's or month's. */
export type BookedRun = { readonly day: string } | { readonly kind: 'weekly' | 'monthly'; readonly startsOn: string };

/**
 * What every run ends with (docs/solvency.md): the books as a whole, and what this run booked.
 *
 * @param tx a snapshot (`inSnapshot`), in which the figures are of one moment; what an open transaction posted is not in them
 * @returns the figures that differ, as one text; undefined when the books hold
 */
export async function findBookFaults(tx: Tx, run: BookedRun): Promise<string | undefined> {
  const checks = [
    ...(await listWholeChecks(tx)),
    ...('day' in run ? await listSessionChecks(tx, run.day) : await listPeriodChecks(tx, run)),
  ];
  const faults = checks.flatMap((check) => bookFault(check) ?? []);
  return faults.length === 0 ? undefined : faults.map(({ subject, message }) => `${subject}: ${message}`).join('; ');
}
