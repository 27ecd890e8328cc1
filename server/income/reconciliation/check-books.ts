import assert from 'node:assert';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
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

/** What stands between the books and those who are paid from them. Who raises alarms is in a later folder. */
export type IncomeGuard = {
  /** Whether weeks and months are paid now; while an alarm stands, what they pay is held. */
  readonly mayPayPeriod: () => Promise<boolean>;
  /** Told when the books do not hold after a run, which is over nevertheless: sessions and bonus runs go on. */
  readonly reportFault: (why: string) => Promise<void>;
};

/** Without anybody to tell, books that do not hold are a broken invariant. */
export const unguarded: IncomeGuard = {
  mayPayPeriod: () => Promise.resolve(true),
  reportFault: (why) => assert.fail(why),
};

/**
 * The check that every run ends with, in a snapshot; what it finds is looked at once more.
 *
 * @returns the figures that differ, as one text; undefined when the books hold
 */
export async function checkAfterRun(db: Db, run: BookedRun): Promise<string | undefined> {
  const find = () => inSnapshot(db, (tx) => findBookFaults(tx, run));
  return (await find()) && (await find());
}
