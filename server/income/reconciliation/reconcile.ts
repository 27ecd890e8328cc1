import assert from 'node:assert';
import type { Db, Tx } from '#server/db/connect.ts';
import { inSnapshot } from '#server/db/tx.ts';
import { findFirstTradeId } from '#server/trading/index.ts';
import { findDiscrepancy, type IncomeCheck } from '../core/discrepancy.ts';
import {
  compareRun,
  compareTotals,
  countWrongTrades,
  getPaid,
  getPeriodFigures,
  listPaidRuns,
  type PeriodKey,
  sumLines,
} from './reconcile-sql.ts';

/** A run that has paid: a session's bonus run, or a week's or month's. */
export type CheckedRun = { readonly day: string } | { readonly kind: 'weekly' | 'monthly'; readonly startsOn: string };

/**
 * Reconciles the ledger totals and what this run posted. Every run ends with it (docs/solvency.md).
 *
 * @param tx a snapshot (`inSnapshot`), in which the figures are of one moment; what an open transaction posted is not in them
 * @returns the discrepancies as one text; undefined without any
 */
export async function findDiscrepancies(tx: Tx, run: CheckedRun): Promise<string | undefined> {
  const checks = [
    ...(await listTotalChecks(tx)),
    ...('day' in run ? await listSessionChecks(tx, run.day) : await listPeriodChecks(tx, run)),
  ];
  const faults = checks.flatMap((check) => findDiscrepancy(check) ?? []);
  return faults.length === 0 ? undefined : faults.map(({ subject, message }) => `${subject}: ${message}`).join('; ');
}

/** Stops payments while reconciliation fails. Alarms are raised by a later domain, which passes this in. */
export type IncomeGuard = {
  /** Whether weeks and months are paid now; while an alarm stands, what they pay is held. */
  readonly mayPayPeriod: () => Promise<boolean>;
  /** Called when a run does not reconcile. The run still ends: sessions and bonus runs continue. */
  readonly reportFault: (why: string) => Promise<void>;
};

/** Without a guard, a discrepancy is a broken invariant. */
export const unguarded: IncomeGuard = {
  mayPayPeriod: () => Promise.resolve(true),
  reportFault: (why) => assert.fail(why),
};

/**
 * The check that every run ends with, in a snapshot; what it finds is looked at once more.
 *
 * @returns the discrepancies as one text; undefined without any
 */
export async function reconcileRun(db: Db, run: CheckedRun): Promise<string | undefined> {
  const find = () => inSnapshot(db, (tx) => findDiscrepancies(tx, run));
  return (await find()) && (await find());
}

/** Totals of the ledger: fees, escrow, pools, and what moved for each reason. */
async function listTotalChecks(tx: Tx): Promise<IncomeCheck[]> {
  const figures = (await compareTotals(tx)).map((figure) => ({ subject: 'ledger', ...figure }));
  const pools = figures.filter(({ what }) => what.endsWith('pool'));
  return [
    ...figures,
    ...pools.map(({ what, found }) => ({
      subject: 'ledger',
      what: `${what} below zero`,
      found: -found,
      expected: 0n,
      isLimit: true as const,
    })),
  ];
}

/** What a session's bonus run booked, and its trades. */
async function listSessionChecks(tx: Tx, day: string): Promise<IncomeCheck[]> {
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
    { subject, what: 'referral bonus by income line', found: lines.referral, expected: paid.referral },
    { subject, what: 'team level bonus by income line', found: lines.level, expected: paid.level },
    { subject, what: 'team profit by income line', found: lines.profit, expected: paid.profit },
    { subject, what: 'referral bonus transferred', found: transfers.referral, expected: paid.referral },
    { subject, what: 'team level bonus transferred', found: transfers.level, expected: paid.level },
    { subject, what: 'team profit transferred', found: transfers.profit, expected: paid.profit },
    counted(subject, 'members whose payments differ from their income lines', members),
    counted(subject, 'trades whose venue transfers are not P − N', trades),
  ];
}

/** What a week or month booked: each is paid once, and never more than there was; what is held is not. */
async function listPeriodChecks(tx: Tx, period: PeriodKey): Promise<IncomeCheck[]> {
  const subject = `${period.kind === 'weekly' ? 'week' : 'month'} ${period.startsOn}`;
  const figures = await getPeriodFigures(tx, period);
  const { pool, available, paid, released, blocks, lines, due, transfers, ...members } = figures;
  return [
    { subject, what: 'pool', found: pool, expected: available },
    { subject, what: 'paid', found: paid, expected: pool, isLimit: true },
    { subject, what: 'paid by batch', found: blocks, expected: paid },
    { subject, what: 'paid by income line', found: lines, expected: paid },
    { subject, what: 'transferred', found: transfers, expected: due },
    { subject, what: 'released', found: figures.releaseTransfer, expected: figures.releaseDue },
    counted(subject, 'members whose payments differ from their income lines', members),
    ...(figures.isCountedOnce
      ? [
          { subject, what: 'released of the pool', found: released, expected: pool - paid },
          { subject, what: 'contributed', found: figures.contributed, expected: figures.fill, isLimit: true as const },
          { subject, what: 'paid of contributed', found: paid, expected: figures.contributed, isLimit: true as const },
        ]
      : []),
  ];
}

/**
 * The ledger totals and the latest runs: what can have gone wrong since earlier runs were reconciled.
 *
 * @param tx a snapshot (`inSnapshot`), as for every list of checks: figures of two moments would not agree
 */
export async function listNewChecks(tx: Tx): Promise<IncomeCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = await listTotalChecks(tx);
  for (const day of days.slice(-1)) checks.push(...(await listSessionChecks(tx, day)));
  for (const kind of ['weekly', 'monthly'])
    for (const period of periods.filter((one) => one.kind === kind).slice(-1))
      checks.push(...(await listPeriodChecks(tx, period)));
  return checks;
}

/** Everything there is, from the first session on: `npm run income:verify`. */
export async function listAllChecks(tx: Tx): Promise<IncomeCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = await listTotalChecks(tx);
  for (const day of days) checks.push(...(await listSessionChecks(tx, day)));
  for (const period of periods) checks.push(...(await listPeriodChecks(tx, period)));
  const trades = await countWrongTrades(tx, undefined, '');
  return [...checks, counted('all sessions', 'trades whose venue transfers are not P − N', trades)];
}

const counted = (
  subject: string,
  what: string,
  { wrong, example }: { wrong: bigint; example: string | null },
): IncomeCheck => ({ subject, what: `number of ${what}`, found: wrong, expected: 0n, example });
