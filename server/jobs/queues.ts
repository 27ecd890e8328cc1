import { fromPglite, PgBoss } from 'pg-boss';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { beginThroughOutage, noteOutage } from '#server/db/outage.ts';

/** One kind of timed work. Every one is idempotent and may be run at any time, by any worker, more than once. */
export type TimedJob = {
  /** `domain.what`, as the queue is named. */
  readonly name: string;
  /** Cron in UTC; every job also runs when it is sent by name. */
  readonly cron: string;
  readonly run: () => Promise<unknown>;
  /** Seconds after which a worker that died is given up and the job runs elsewhere. */
  readonly expireSeconds: number;
};

export type Queues = {
  /** Asks for a run soon; asking twice before it began is one run. */
  readonly send: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * pg-boss on the same database: which worker runs what, and what a crash left behind, is its business. A job that
 * failed is tried again with growing pauses.
 */
export async function startQueues(context: Context, database: Database, jobs: readonly TimedJob[]): Promise<Queues> {
  const boss = new PgBoss({
    ...(database.pglite ? { db: fromPglite(database.pglite), backend: 'pglite' } : { ...database.pooled, max: 3 }),
    schema: 'pgboss',
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on('error', (told: unknown) => {
    // Some are told as copies, which are no errors.
    const error = told instanceof Error ? told : Object.assign(new Error(), told);
    if (!noteOutage(context, error)) context.log.error({ err: error }, 'job queue failed');
  });
  await beginThroughOutage(context, () => start(boss));
  for (const job of jobs) await register(boss, context, job);
  return {
    send: async (name) => {
      await boss.send(name, null);
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

/** What was begun of a start that failed is ended, so that it can be begun again. */
async function start(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
}

async function register(boss: PgBoss, context: Context, job: TimedJob): Promise<void> {
  await beginThroughOutage(context, async () => {
    // `exclusive`: at most one of a kind waits or runs, so that asking often is harmless.
    await boss.createQueue(job.name, {
      policy: 'exclusive',
      retryLimit: 20,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: job.expireSeconds,
      deleteAfterSeconds: 3600,
    });
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' });
  });
  await boss.work(job.name, { pollingIntervalSeconds: 0.5 }, async () => {
    const started = performance.now();
    await job.run();
    context.log.debug({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done');
  });
}
