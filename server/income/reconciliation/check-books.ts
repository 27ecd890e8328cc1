import assert from 'node:assert';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findFirstTradeId } from '#server/trading/index.ts';
import { type BookCheck, bookFault } from '../core/book-check.ts';
import {
  compareBooks,
  compareRun,
  countWrongTrades,
  getPaid,
  getPeriodFigures,
  listPaidRuns,
  type PeriodKey,
  sumLines,
} from './check-books-sql.ts';

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

/** The books as a whole: fees, escrow, pools, and what moved for each reason. */
async function listWholeChecks(tx: Tx): Promise<BookCheck[]> {
  const figures = (await compareBooks(tx)).map((figure) => ({ subject: 'the books', ...figure }));
  const pools = figures.filter(({ what }) => what.endsWith('pool'));
  return [
    ...figures,
    ...pools.map(({ what, found }) => ({
      subject: 'the books',
      what: `${what} below zero`,
      found: -found,
      expected: 0n,
      isLimit: true as const,
    })),
  ];
}

/** What a session's bonus run booked, and its trades. */
async function listSessionChecks(tx: Tx, day: string): Promise<BookCheck[]> {
  const subject = `session ${day}`;
  const [figures, paid, { lines, transfers, ...members }] = [
    await compareRun(tx, day),
    await getPaid(tx, day),
    await sumLines(tx, day),
  ];
  const firstTradeId = await findFirstTradeId(tx, day);
  const trades =
    firstTradeId === undefined
      ? { wrong: 0n, example: null }
      : await countWrongTrades(tx, day, `trade/${firstTradeId}/place`);
  return [
    ...figures.map((figure) => ({ subject, ...figure })),
    { subject, what: 'referral bonus of its lines', found: lines.referral, expected: paid.referral },
    { subject, what: 'team level bonus of its lines', found: lines.level, expected: paid.level },
    { subject, what: 'team profit of its lines', found: lines.profit, expected: paid.profit },
    { subject, what: 'referral bonus transferred', found: transfers.referral, expected: paid.referral },
    { subject, what: 'team level bonus transferred', found: transfers.level, expected: paid.level },
    { subject, what: 'team profit transferred', found: transfers.profit, expected: paid.profit },
    counted(subject, 'members paid otherwise than their lines', members),
    counted(subject, 'trades that the venue did not settle as P − N', trades),
  ];
}

/** What a week or month booked: each is paid once, and never more than there was; what is held is not. */
async function listPeriodChecks(tx: Tx, period: PeriodKey): Promise<BookCheck[]> {
  const subject = `${period.kind === 'weekly' ? 'week' : 'month'} ${period.startsOn}`;
  const { pool, available, paid, blocks, lines, due, transfers, ...members } = await getPeriodFigures(tx, period);
  return [
    { subject, what: 'pool', found: pool, expected: available },
    { subject, what: 'paid', found: paid, expected: pool, isLimit: true },
    { subject, what: 'paid by its blocks', found: blocks, expected: paid },
    { subject, what: 'paid by its lines', found: lines, expected: paid },
    { subject, what: 'transferred', found: transfers, expected: due },
    counted(subject, 'members paid otherwise than their lines', members),
  ];
}

/**
 * The books as a whole, and the runs that paid last: what can have gone wrong since the checks that ended earlier ones.
 *
 * @param tx a snapshot (`inSnapshot`), as for every list of checks: figures of two moments would not agree
 */
export async function listNewChecks(tx: Tx): Promise<BookCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = await listWholeChecks(tx);
  for (const day of days.slice(-1)) checks.push(...(await listSessionChecks(tx, day)));
  for (const kind of ['weekly', 'monthly'])
    for (const period of periods.filter((one) => one.kind === kind).slice(-1))
      checks.push(...(await listPeriodChecks(tx, period)));
  return checks;
}

/** Everything there is, from the first session on: `npm run income:verify`. */
export async function listAllChecks(tx: Tx): Promise<BookCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = await listWholeChecks(tx);
  for (const day of days) checks.push(...(await listSessionChecks(tx, day)));
  for (const period of periods) checks.push(...(await listPeriodChecks(tx, period)));
  const trades = await countWrongTrades(tx, undefined, '');
  return [...checks, counted('all sessions', 'trades that the venue did not settle as P − N', trades)];
}

const counted = (
  subject: string,
  what: string,
  { wrong, example }: { wrong: bigint; example: string | null },
): BookCheck => ({ subject, what: `number of ${what}`, found: wrong, expected: 0n, example });
