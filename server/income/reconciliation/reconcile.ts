import assert from 'node:assert';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute } from '#server/db/rows.ts';
import { inSnapshot, runWorkers } from '#server/db/tx.ts';
import { findFirstTradeId } from '#server/trading/index.ts';
import { sessionWorkMem } from '../bonus/level-sum-sql.ts';
import { findDiscrepancy, type IncomeCheck } from '../core/discrepancy.ts';
import {
  comparePlans,
  compareRun,
  compareTotals,
  countWrongRewards,
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
 * @param db or a transaction, whose own postings are then included; uncommitted ones of others never are
 * @returns the discrepancies as one text; undefined without any
 */
export async function findDiscrepancies(db: Db, run: CheckedRun): Promise<string | undefined> {
  const lists = checksOf(run);
  const found: IncomeCheck[][] = [];
  await runWorkers<number>(
    async (last = -1) => (last + 1 < lists.length ? last + 1 : undefined),
    async (no) => {
      found[no] = await inSnapshot(db, async (tx) => {
        await execute(tx)`select ${sessionWorkMem}`;
        return (lists[no] as CheckList)(tx);
      });
    },
    db.isTransaction ? 1 : undefined,
  );
  const faults = found.flat().flatMap((check) => findDiscrepancy(check) ?? []);
  return faults.length === 0 ? undefined : faults.map(({ subject, message }) => `${subject}: ${message}`).join('; ');
}

/** Checks of one snapshot. Other lists have their own snapshots, and no check spans two lists. */
type CheckList = (tx: Tx) => Promise<IncomeCheck[]>;

const checksOf = (run: CheckedRun): readonly CheckList[] => [
  listTotalChecks,
  ...('day' in run
    ? [(tx: Tx) => listSessionChecks(tx, run.day), (tx: Tx) => listTradeChecks(tx, run.day)]
    : [(tx: Tx) => listPeriodChecks(tx, run)]),
];

/** Stops payments while reconciliation fails. Alarms are raised by a later domain, which passes this in. */
export type IncomeGuard = {
  /** Whether weeks and months may be paid; during an alarm they are held. */
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
 * The reconciliation that ends every run; discrepancies are confirmed by a second pass.
 *
 * @returns the discrepancies as one text; undefined without any
 */
export const reconcileRun = async (db: Db, run: CheckedRun): Promise<string | undefined> =>
  (await findDiscrepancies(db, run)) && (await findDiscrepancies(db, run));

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

/** Checks of what no run changes: plans have what the ledger says. */
const listPlanChecks = async (tx: Tx): Promise<IncomeCheck[]> => [{ subject: 'ledger', ...(await comparePlans(tx)) }];

/** Checks of a session's bonus run. */
async function listSessionChecks(tx: Tx, day: string): Promise<IncomeCheck[]> {
  const subject = `session ${day}`;
  const [figures, paid, { lines, transfers, ...members }] = [
    await compareRun(tx, day),
    await getPaid(tx, day),
    await sumLines(tx, day),
  ];
  return [
    ...figures.map((figure) => ({ subject, ...figure })),
    { subject, what: 'referral bonus by income line', found: lines.referral, expected: paid.referral },
    { subject, what: 'team level bonus by income line', found: lines.level, expected: paid.level },
    { subject, what: 'team profit by income line', found: lines.profit, expected: paid.profit },
    { subject, what: 'referral bonus transferred', found: transfers.referral, expected: paid.referral },
    { subject, what: 'team level bonus transferred', found: transfers.level, expected: paid.level },
    { subject, what: 'team profit transferred', found: transfers.profit, expected: paid.profit },
    counted(subject, 'members whose payments differ from their income lines', members),
  ];
}

/** Checks of a session's trades. */
async function listTradeChecks(tx: Tx, day: string): Promise<IncomeCheck[]> {
  const firstTradeId = await findFirstTradeId(tx, day);
  const trades =
    firstTradeId === undefined
      ? { wrong: 0n, example: null }
      : await countWrongTrades(tx, day, `trade/${firstTradeId}/place`);
  return [counted(`session ${day}`, 'trades whose venue transfers are not P − N', trades)];
}

/** Checks of a week or month: everything is paid once and never exceeds the pool; held batches are unpaid. */
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
          counted(subject, 'members who got more than they contributed', {
            wrong: figures.over,
            example: figures.overExample,
          }),
        ]
      : []),
  ];
}

/**
 * Checks of the ledger totals and the latest runs: everything that can have changed since earlier runs were reconciled.
 *
 * @param tx a snapshot (`inSnapshot`), as for every list of checks
 */
export async function listNewChecks(tx: Tx): Promise<IncomeCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = [...(await listTotalChecks(tx)), ...(await listPlanChecks(tx))];
  for (const day of days.slice(-1))
    checks.push(...(await listSessionChecks(tx, day)), ...(await listTradeChecks(tx, day)));
  for (const kind of ['weekly', 'monthly'])
    for (const period of periods.filter((one) => one.kind === kind).slice(-1))
      checks.push(...(await listPeriodChecks(tx, period)));
  return checks;
}

/** All checks since the first session: `npm run income:verify`. */
export async function listAllChecks(tx: Tx): Promise<IncomeCheck[]> {
  const { days, periods } = await listPaidRuns(tx);
  const checks = [...(await listTotalChecks(tx)), ...(await listPlanChecks(tx))];
  for (const day of days) checks.push(...(await listSessionChecks(tx, day)), ...(await listTradeChecks(tx, day)));
  for (const period of periods) checks.push(...(await listPeriodChecks(tx, period)));
  const rewards = await countWrongRewards(tx);
  const trades = await countWrongTrades(tx, undefined, '');
  return [
    ...checks,
    counted('rewards', 'members whose payments differ from their rewards', rewards),
    counted('all sessions', 'trades whose venue transfers are not P − N', trades),
  ];
}

const counted = (
  subject: string,
  what: string,
  { wrong, example }: { wrong: bigint; example: string | null },
): IncomeCheck => ({ subject, what: `number of ${what}`, found: wrong, expected: 0n, example });
