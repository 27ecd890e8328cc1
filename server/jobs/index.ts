import {
  answerResetRequests,
  askLegalContact,
  executeDueEmailChanges,
  executeDueOperatorChanges,
  purgeExpired,
} from '#server/accounts/index.ts';
import { sealAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { beginThroughOutage } from '#server/db/outage.ts';
import { forgetOldKeys } from '#server/db/tx.ts';
import {
  answerSearches,
  executeDueLoosenings,
  followCoins,
  followPayouts,
  importEntriesWhenDue,
  payWithdrawals,
  reconcileDeposits,
  sendDueDeliveries,
} from '#server/funds/index.ts';
import { listRunStates, runMarket } from '#server/income/index.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { purgeEvents } from '#server/live/index.ts';
import { advanceMarket, pollPrices, releaseMarket } from '#server/market/index.ts';
import { forgetFailedTexts, openEmailTransport, sendDueEmails } from '#server/notify/index.ts';
import { checkWhenDue, LONGEST_CHECK_SECONDS } from '#server/operator/index.ts';
import {
  bookCoinSales,
  getAlarms,
  publishHeads,
  raiseAlarm,
  reportBalances,
  sendAnchors,
  takeDailySnapshot,
  takeRequestedSnapshots,
  watchSolvency,
} from '#server/solvency/index.ts';
import { sumTeamCounts } from '#server/team/index.ts';
import { executeBatches, importWhenDue, releaseVenue } from '#server/trading/index.ts';
import { JobBoard } from './board.ts';
import { type Loop, startLoop } from './engine.ts';
import { startQueues, type TimedJob } from './queues.ts';

/** Starts all background work. Returns a function that stops it gracefully. */
export async function startJobs(given: Context, database: Database): Promise<() => Promise<void>> {
  // With the database limits of background work.
  const context: Context = { ...given, db: database.jobs };
  const board = new JobBoard(context);
  const jobs = timedJobs(context, database);
  // Results for operators, and runs that they requested.
  const watch: Loop = { name: 'jobs', pauseMs: 2000, round: () => board.write((name) => queues.send(name)) };
  const all = [...loopsOf(context), watch];
  await beginThroughOutage(context, () => board.open(jobs, all));
  const queues = await startQueues(
    context,
    database,
    jobs.map((job) => board.watchJob(job)),
  );
  const loops = all.map((loop) => startLoop(context, board.watchLoop(loop)));
  return async () => {
    await Promise.all(loops.map((stop) => stop()));
    await Promise.all([releaseMarket(context), releaseVenue(context)]);
    await queues.stop();
  };
}

/** What runs by the minute or less often. */
export function timedJobs(context: Context, database: Database): TimedJob[] {
  return [
    ...(database.engine === 'pglite' ? [tidyUp(database)] : []),
    { name: 'ledger.seal', cron: '* * * * *', expireSeconds: 300, run: () => sealLedger(context) },
    {
      name: 'identity.operators',
      cron: '* * * * *',
      expireSeconds: 120,
      run: () => executeDueOperatorChanges(context),
    },
    { name: 'funds.loosenings', cron: '* * * * *', expireSeconds: 120, run: () => executeDueLoosenings(context) },
    { name: 'identity.legal-contact', cron: '* * * * *', expireSeconds: 120, run: () => askLegalContact(context) },
    { name: 'identity.emails', cron: '* * * * *', expireSeconds: 120, run: () => executeDueEmailChanges(context) },
    { name: 'audit.seal', cron: '* * * * *', expireSeconds: 300, run: () => sealAudit(context) },
    // Distributing a session of a million members takes minutes; another worker that starts meanwhile joins in.
    { name: 'income.follow', cron: '* * * * *', expireSeconds: 900, run: () => followBooks(context) },
    { name: 'solvency.snapshot', cron: '* * * * *', expireSeconds: 900, run: () => takeSnapshots(context) },
    { name: 'solvency.publish', cron: '* * * * *', expireSeconds: 120, run: () => publishHeads(context) },
    { name: 'solvency.anchor', cron: '* * * * *', expireSeconds: 300, run: () => sendAnchors(context) },
    { name: 'solvency.report', cron: '*/10 * * * *', expireSeconds: 300, run: () => reportBalances(context) },
    { name: 'solvency.watch', cron: '* * * * *', expireSeconds: 120, run: () => watchSolvency(context) },
    checkOfBooks(context),
    { name: 'trading.statement', cron: '* * * * *', expireSeconds: 900, run: () => importExchangeStatement(context) },
    { name: 'team.count', cron: '* * * * *', expireSeconds: 300, run: () => sumTeamCounts(context) },
    { name: 'funds.reconcile', cron: '* * * * *', expireSeconds: 120, run: () => reconcileDeposits(context) },
    { name: 'funds.statement', cron: '* * * * *', expireSeconds: 900, run: () => importEntries(context) },
    { name: 'funds.coins', cron: '* * * * *', expireSeconds: 120, run: () => followCoins(context) },
    { name: 'live.forget-events', cron: '* * * * *', expireSeconds: 60, run: () => purgeEvents(context) },
    { name: 'identity.forget-expired', cron: '7 * * * *', expireSeconds: 300, run: () => purgeExpired(context) },
    { name: 'notify.forget-texts', cron: '27 * * * *', expireSeconds: 300, run: () => forgetFailedTexts(context) },
    {
      name: 'http.forget-keys',
      cron: '17 * * * *',
      expireSeconds: 300,
      run: () => forgetOldKeys(context.db, context.now()),
    },
  ];
}

const importEntries = async (context: Context): Promise<void> => void (await importEntriesWhenDue(context));

async function takeSnapshots(context: Context): Promise<void> {
  await takeDailySnapshot(context);
  await takeRequestedSnapshots(context);
}

/** Only with an exchange. */
const importExchangeStatement = (context: Context) =>
  importWhenDue(context, async (day) => (await listRunStates(context.db, [day])).get(day) === 'done');

/** During a reconciliation alarm, weekly and monthly payments are held like all payouts; sessions continue. */
const followBooks = (context: Context) =>
  runMarket(context, {
    guard: {
      mayPayPeriod: async () => (await getAlarms(context.db)).length === 0,
      reportFault: (why) => raiseAlarm(context, 'integrity', `Reconciliation after a run failed: ${why}.`),
    },
  });

/** Runs after the start, when due, and on request. */
function checkOfBooks(context: Context): TimedJob {
  let isStart = true;
  const run = async () => {
    await checkWhenDue(context, isStart);
    isStart = false;
  };
  return { name: 'integrity.check', cron: '* * * * *', expireSeconds: LONGEST_CHECK_SECONDS, run };
}

/** PostgreSQL does this by itself; the embedded engine has no autovacuum. */
const tidyUp = (database: Database): TimedJob => ({
  name: 'db.vacuum',
  cron: '37 * * * *',
  expireSeconds: 600,
  run: () => database.runScript('vacuum (analyze)'),
});

/** Each waits for no other: what stops one, such as an asset whose batch cannot be booked, stops nothing else. */
export function loopsOf(context: Context): Loop[] {
  const transport = openEmailTransport(context.config);
  let skipTo: Date | undefined;
  return [
    {
      name: 'market',
      pauseMs: 250,
      round: async (elapsedMs) => {
        const { advanced } = await advanceMarket(context, { elapsedMs, skipTo });
        // After a failure below, the clock goes on from there.
        skipTo = undefined;
        // The worker that advances the market also follows it; others wait for its lease to end.
        if (advanced) ({ skipTo } = await followBooks(context));
      },
    },
    // Only for a live feed. A separate loop, because the request is slow and the market continues meanwhile.
    { name: 'prices', pauseMs: 500, round: () => pollPrices(context) },
    // These two only with an exchange.
    { name: 'execution', pauseMs: 1000, round: () => executeBatches(context) },
    { name: 'coin-sales', pauseMs: 1000, round: () => bookCoinSales(context) },
    // A separate loop, so that a locked member delays nobody else's emails.
    { name: 'reset-codes', pauseMs: 500, round: () => answerResetRequests(context) },
    { name: 'mail', pauseMs: 1000, round: () => sendDueEmails(context, transport) },
    { name: 'webhooks', pauseMs: 500, round: () => sendDueDeliveries(context) },
    // Separate loops, so that slow replies about old payouts do not delay new ones.
    { name: 'payouts', pauseMs: 2000, round: () => payWithdrawals(context) },
    { name: 'payout-follow', pauseMs: 2000, round: () => followPayouts(context) },
    // Frequent, because an operator is waiting.
    { name: 'payout-look', pauseMs: 500, round: () => answerSearches(context) },
  ];
}
