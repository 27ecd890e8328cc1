import { type IntegrityCheck, integrityChecks } from '#contract/operator/integrity.ts';
import { actingAs, type OperatorActor } from '#server/approvals/index.ts';
import { verifyAudit, writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { isDatabaseGone, isLockTimeout } from '#server/db/faults.ts';
import { inSnapshot, inTransaction } from '#server/db/tx.ts';
import { checkFunds } from '#server/funds/index.ts';
import { findDiscrepancy, listAllChecks, listNewChecks } from '#server/income/index.ts';
import { findLastSeal, verifyLedgerPart } from '#server/ledger/index.ts';
import { readStatements } from '#server/signing/index.ts';
import { clearAlarm, findAlarm, raiseAlarm, verifySignatures, verifySnapshots } from '#server/solvency/index.ts';
import {
  type CheckDiscrepancy,
  type CheckResult,
  countBroken,
  endBrokenRuns,
  findLastRun,
  findMark,
  findOpenRun,
  findRequestedRun,
  finishRun,
  insertRequestedRun,
  insertRun,
  type Mark,
  type RunScope,
  startRequestedRun,
} from './run-sql.ts';

const EVERY_MS = 3_600_000;
/** After this the job of a run is abandoned, although the run may go on. */
export const LONGEST_CHECK_SECONDS = 7200;
/** How often a run is repeated at once: what breaks it may be its own load. */
const MAX_REPEATS = 5;

type CheckedBooks = {
  readonly scope: RunScope;
  readonly checks: readonly CheckResult[];
  readonly findings: readonly CheckDiscrepancy[];
};

/** Measures how long a check takes; tests pass a clock that stands still. */
type Stopwatch = () => number;

/**
 * Runs a reconciliation when one is due: once after the start, hourly, and on an admin's request. The hourly run covers
 * what was posted since the last clean run. A requested run covers everything from the first transfer on, and so does
 * every run while an alarm is active, because only a full run can clear it. One that a killed worker or a lost database
 * ended is repeated, five times at once, then hourly.
 *
 * @returns undefined if none was due
 */
export async function checkWhenDue(context: Context, isStart: boolean): Promise<CheckedBooks | undefined> {
  const { db, now } = context;
  if ((await findRequestedRun(db)) !== undefined) return checkIntegrity(context, 'whole');
  const last = (await findOpenRun(db)) ?? (await findLastRun(db));
  const sinceMs = last === undefined ? Number.POSITIVE_INFINITY : now().getTime() - last.startedAt.getTime();
  // Only one run is active at a time, so one that is still marked as running has ended, unless its job expired.
  const isBroken = last?.finishedAt === null || last?.state === 'broken';
  const scope = isBroken && sinceMs < LONGEST_CHECK_SECONDS * 1000 ? last.scope : 'new';
  const isRepeated = isBroken && sinceMs < EVERY_MS && (await countBroken(db)) <= MAX_REPEATS;
  // Less than zero: the clock was set back since, perhaps by hours.
  return isStart || isRepeated || sinceMs < 0 || sinceMs >= EVERY_MS ? checkIntegrity(context, scope) : undefined;
}

/**
 * Runs all checks in sequence. A discrepancy is confirmed by a second read, then stops payouts and alarms the admins
 * (`raiseAlarm`); a clean run clears the alarm that was active when it began. A check that cannot run counts as a
 * discrepancy: an unreadable ledger is not verified. Only if the database is gone, or another session holds a table,
 * does the run fail without a result.
 */
export async function checkIntegrity(
  context: Context,
  requested: RunScope,
  stopwatch: Stopwatch = () => performance.now(),
): Promise<CheckedBooks> {
  const { db, now, log } = context;
  const seal = await findLastSeal(db);
  const alarm = await findAlarm(db, 'integrity');
  const mark = requested === 'whole' || alarm !== undefined ? undefined : await findMark(db);
  const scope = mark === undefined ? 'whole' : 'new';
  const id = await inTransaction(db, async (tx) => {
    const begin = { scope, now: now(), mark: seal } as const;
    await endBrokenRuns(tx, now());
    const requestedId = await findRequestedRun(tx);
    if (requestedId === undefined || scope === 'new') return insertRun(tx, begin);
    await startRequestedRun(tx, requestedId, begin);
    return requestedId;
  });
  const found = await runChecks(context, mark, stopwatch);
  const state = found.findings.length === 0 ? 'passed' : 'failed';
  await inTransaction(db, (tx) => finishRun(tx, id, { state, now: now(), ...found }));
  if (state === 'failed') await raiseAlarm(context, 'integrity', describe(found.findings));
  else if (alarm !== undefined) await clearAlarm(context, alarm);
  log.info({ run: String(id), scope, findings: found.findings.length }, 'reconciliation finished');
  return { scope, ...found };
}

/** Runs all checks without recording a run: for a copy of the database, or a caller that stores no runs. */
export const findDiscrepancies = async (context: Context): Promise<readonly CheckDiscrepancy[]> =>
  (await runChecks(context, undefined, () => performance.now())).findings;

async function runChecks(context: Context, mark: Mark | undefined, stopwatch: Stopwatch) {
  const results: CheckResult[] = [];
  const findings: CheckDiscrepancy[] = [];
  for (const check of integrityChecks) {
    const began = stopwatch();
    const found = await runCheck(context, check, mark);
    results.push({ check, duration_ms: Math.round(stopwatch() - began), findings: found.length });
    findings.push(...found);
  }
  return { checks: results, findings };
}

/** The discrepancies that a second read, in a new snapshot, confirms. */
async function runCheck(context: Context, check: IntegrityCheck, mark: Mark | undefined): Promise<CheckDiscrepancy[]> {
  const [first] = await readCheck(context, check, mark);
  if (first === undefined) return [];
  const found = await readCheck(context, check, mark);
  if (found.length === 0) context.log.warn({ first }, 'discrepancy not confirmed by a second read');
  return found;
}

async function readCheck(context: Context, check: IntegrityCheck, mark: Mark | undefined): Promise<CheckDiscrepancy[]> {
  try {
    const found = await checks[check](context, mark);
    return found.map(({ subject, message }) => ({ check, subject, message }));
  } catch (error) {
    if (isDatabaseGone(error) || isLockTimeout(error)) throw error;
    context.log.error({ err: error, check }, 'reconciliation check could not run');
    return [{ check, subject: `${check} check`, message: 'could not run; see the server log' }];
  }
}

/** `Reconciliation found 3 discrepancies (seals, funds). First: seal 4 is missing.` */
function describe(findings: readonly CheckDiscrepancy[]): string {
  const [first] = findings as [CheckDiscrepancy];
  const names = [...new Set(findings.map(({ check }) => check))].join(', ');
  const count = `${findings.length} ${findings.length === 1 ? 'discrepancy' : 'discrepancies'}`;
  return `Reconciliation found ${count} (${names}). First: ${first.subject} ${first.message}.`;
}

/** Requests a full run, which the worker starts within a minute. A repeated request has no effect. */
export function askForCheck({ db, now }: Context, actor: OperatorActor): Promise<{ started: boolean }> {
  return inTransaction(db, async (tx) => {
    const started = await insertRequestedRun(tx, actor.operatorId, now());
    if (started) await writeAudit(tx, { ...actingAs(actor), action: 'integrity.ask', subject: 'books' });
    return { started };
  });
}

type Found = { readonly subject: string; readonly message: string };

/** @param mark the last seal of a clean run, up to which nothing is read again; undefined: check everything */
type Check = (context: Context, mark: Mark | undefined) => Promise<readonly Found[]>;

/**
 * The checks of a reconciliation (docs/solvency.md). Each reads its own snapshot while the system keeps running, so a
 * concurrent seal or transfer is in all of the compared figures or in none. The embedded database has one connection:
 * other queries wait for a check and run between two of them.
 */
const checks: Readonly<Record<IntegrityCheck, Check>> = {
  rules: ({ db }) => verifyLedgerPart(db, 'rules'),
  seals: ({ db }, mark) => verifyLedgerPart(db, 'seals', mark),
  statements: ({ db }, mark) => verifyLedgerPart(db, 'statements', mark),
  sums: ({ db }) => verifyLedgerPart(db, 'sums'),
  funds: ({ db }) => checkFunds(db),
  incomes: ({ db }, mark) => checkIncomes(db, mark),
  audit: ({ db }) => verifyAudit(db),
  snapshots: ({ db }, mark) => verifySnapshots(db, mark === undefined ? 'all' : 'newest'),
  signatures: ({ db, sealKey, config }, mark) =>
    verifySignatures(db, sealKey && readStatements(sealKey, config.sealKeyFile), mark === undefined ? 'whole' : 'new'),
};

/** Escrow equals open trades, pools equal contributions less payments; each session, week and month is paid once. */
async function checkIncomes(db: Db, mark: Mark | undefined): Promise<Found[]> {
  const figures = await inSnapshot(db, mark === undefined ? listAllChecks : listNewChecks);
  return figures.flatMap((figure) => findDiscrepancy(figure) ?? []);
}
