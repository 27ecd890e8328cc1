import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { forgetOldKeys } from '#server/db/tx.ts';
import { followPayouts, payWithdrawals, reconcileDeposits, sendDueDeliveries } from '#server/funds/index.ts';
import { answerResetRequests, forgetExpired } from '#server/identity/index.ts';
import { runMarket } from '#server/income/index.ts';
import { sealLedger } from '#server/ledger/index.ts';
import { advanceMarket, pollPrices, releaseMarket } from '#server/market/index.ts';
import { openMailTransport, sendDueMails } from '#server/notify/index.ts';
import { sumTeamCounts } from '#server/team/index.ts';
import { hedgeExposure, releaseVenue } from '#server/trading/index.ts';
import { type Loop, startLoop } from './engine.ts';
import { startQueues, type TimedJob } from './queues.ts';

/** Everything that happens without being asked, in one list. Returns the function that stops it gracefully. */
export async function startJobs(context: Context, database: Database): Promise<() => Promise<void>> {
  const queues = await startQueues(context, database, timedJobs(context, database));
  const loops = loopsOf(context).map((loop) => startLoop(context, loop));
  return async () => {
    await Promise.all(loops.map((stop) => stop()));
    await Promise.all([releaseMarket(context), releaseVenue(context)]);
    await queues.stop();
  };
}

function timedJobs(context: Context, database: Database): TimedJob[] {
  return [
    ...(database.engine === 'pglite' ? [tidyUp(database)] : []),
    { name: 'ledger.seal', cron: '* * * * *', expireSeconds: 300, run: () => sealLedger(context) },
    // Sharing out a session of a million members takes minutes; another worker that begins meanwhile joins in.
    { name: 'income.follow', cron: '* * * * *', expireSeconds: 900, run: () => runMarket(context) },
    { name: 'team.count', cron: '* * * * *', expireSeconds: 300, run: () => sumTeamCounts(context) },
    { name: 'funds.reconcile', cron: '* * * * *', expireSeconds: 120, run: () => reconcileDeposits(context) },
    { name: 'identity.forget-expired', cron: '7 * * * *', expireSeconds: 300, run: () => forgetExpired(context) },
    {
      name: 'http.forget-keys',
      cron: '17 * * * *',
      expireSeconds: 300,
      run: () => forgetOldKeys(context.db, context.now()),
    },
  ];
}

/** PostgreSQL does this by itself; the embedded engine has no autovacuum. */
const tidyUp = (database: Database): TimedJob => ({
  name: 'db.vacuum',
  cron: '37 * * * *',
  expireSeconds: 600,
  run: () => database.runScript('vacuum (analyze)'),
});

function loopsOf(context: Context): Loop[] {
  const transport = openMailTransport(context.config);
  let skipTo: Date | undefined;
  return [
    {
      name: 'market',
      pauseMs: 250,
      round: async (elapsedMs) => {
        const { advanced } = await advanceMarket(context, { elapsedMs, skipTo });
        // Whoever moves the market follows it, too; other workers wait for its lease to end.
        if (advanced) ({ skipTo } = await runMarket(context));
      },
    },
    // Of a live feed only; asking others takes long, and the market goes on meanwhile.
    { name: 'prices', pauseMs: 500, round: () => pollPrices(context) },
    // Of the exchange that hedges, if there is one.
    { name: 'hedge', pauseMs: 1000, round: () => hedgeExposure(context) },
    {
      name: 'mail',
      pauseMs: 1000,
      round: async () => {
        await answerResetRequests(context);
        await sendDueMails(context, transport);
      },
    },
    { name: 'webhooks', pauseMs: 500, round: () => sendDueDeliveries(context) },
    // Apart from each other, so that a gateway which answers slowly about old payouts does not hold up new ones.
    { name: 'payouts', pauseMs: 2000, round: () => payWithdrawals(context) },
    { name: 'payout-follow', pauseMs: 2000, round: () => followPayouts(context) },
  ];
}
