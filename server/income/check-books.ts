import assert from 'node:assert';
import type { Tx } from '#server/db/connect.ts';
import { bookFault } from './core/book-check.ts';
import { listPeriodChecks, listSessionChecks, listWholeChecks } from './list-book-checks.ts';

/** A run that has paid: a session's bonus run, or a week's or month's. */
export type BookedRun = { readonly day: string } | { readonly kind: 'weekly' | 'monthly'; readonly startsOn: string };

/**
 * What every run ends with (docs/solvency.md): the books as a whole, and what this run booked. A difference is a broken
 * invariant: the run stays in `checking`, the figures go to the log, and no session opens before somebody has looked.
 *
 * @param tx a snapshot (`inSnapshot`), in which the figures are of one moment; what an open transaction posted is not in them
 */
export async function checkBooks(tx: Tx, run: BookedRun): Promise<void> {
  const checks = [
    ...(await listWholeChecks(tx)),
    ...('day' in run ? await listSessionChecks(tx, run.day) : await listPeriodChecks(tx, run)),
  ];
  const faults = checks.flatMap((check) => bookFault(check) ?? []);
  assert(faults.length === 0, faults.map(({ subject, message }) => `${subject}: ${message}`).join('; '));
}
