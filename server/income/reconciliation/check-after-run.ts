import assert from 'node:assert';
import type { Db } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { type BookedRun, findBookFaults } from './check-books.ts';

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
