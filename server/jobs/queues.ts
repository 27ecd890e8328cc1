import { setTimeout as wait } from 'node:timers/promises';
import { fromPglite, PgBoss } from 'pg-boss';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { mayMigrate } from '#server/db/migrate.ts';
import { beginThroughOutage, noteOutage } from '#server/db/outage.ts';

/** One kind of timed work. Every one is idempotent and may be run at any time, by any worker, more than once. */
export type TimedJob = {
  /** `domain.what`, as the queue is named. */
  readonly name: string;
  /** Cron in UTC; every job also runs when it is sent by name. */
  readonly cron: string;
  readonly run: () => Promise<unknown>;
  /** Seconds after which a job that hangs is given up and runs elsewhere. */
  readonly expireSeconds: number;
};

/** A worker that is not heard of for so long has died: its job runs elsewhere, however long it may take. */
const HEARTBEAT_SECONDS = 60;

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
  const { databaseMigrateUrl } = context.config;
  const migrates =
    databaseMigrateUrl === undefined && (await beginThroughOutage(context, () => mayMigrate(database.db)));
  const boss = new PgBoss({
    ...placeOf(database, 3),
    migrate: migrates,
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on('error', (told: unknown) => {
    // Some are told as copies, which are no errors.
    const error = told instanceof Error ? told : Object.assign(new Error(), told);
    const lost = jobs.find(({ name }) => error.message.startsWith(`Queue ${name} does not exist`));
    if (lost !== undefined) return makeAgain(lost);
    if (!noteOutage(context, error)) context.log.error({ err: error }, 'job queue failed');
  });
  const made = new Set<TimedJob>();
  /** A failover lost it: it was made on a primary that died before its standby had it. */
  const makeAgain = (job: TimedJob) => {
    if (!made.delete(job)) return;
    context.log.warn({ job: job.name }, 'job queue lost, made again');
    makeQueue(boss, context, job)
      .catch((error: unknown) => context.log.error({ err: error }, 'job queue failed'))
      .finally(() => made.add(job));
  };
  await beginThroughOutage(context, () => start(boss));
  for (const job of jobs) {
    await makeQueue(boss, context, job);
    made.add(job);
    await work(boss, context, job);
  }
  return {
    send: async (name) => {
      await boss.send(name, null);
    },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
}

const placeOf = ({ pglite, pooled }: Database, connections: number) => ({
  ...(pglite ? { db: fromPglite(pglite), backend: 'pglite' as const } : { ...pooled, max: connections }),
  schema: 'pgboss',
});

/** What was begun of a start that failed is ended, so that it can be begun again. */
async function start(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    // What pg-boss throws of itself when it may not change its tables and finds none, or those of another version.
    if (error instanceof Error && /^pg-boss /.test(error.message))
      throw new BadConfig(`DATABASE_MIGRATE_URL: ${error.message}. Run npm run migrate.`);
    throw error;
  }
}

/** Makes or updates the tables of the queues, indexes that are built afterwards included. Runs no job. */
export async function installQueues(database: Database): Promise<void> {
  const boss = new PgBoss({ ...placeOf(database, 2), supervise: false, schedule: false, bamIntervalSeconds: 10 });
  const faults: unknown[] = [];
  boss.on('error', (fault: unknown) => faults.push(fault));
  await start(boss);
  try {
    while (await isBuilding(boss)) await wait(200);
    if (faults.length > 0) throw new AggregateError(faults, 'the queues could not be installed');
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function isBuilding(boss: PgBoss): Promise<boolean> {
  const states = await boss.getBamStatus();
  const failed = states.find(({ status }) => status === 'failed');
  if (failed !== undefined) throw new Error(`${failed.count} indexes of pg-boss could not be built`);
  return states.some(({ status }) => status === 'pending' || status === 'in_progress');
}

const makeQueue = (boss: PgBoss, context: Context, job: TimedJob): Promise<void> =>
  beginThroughOutage(context, async () => {
    // `exclusive`: at most one of a kind waits or runs, so that asking often is harmless.
    const settings = {
      retryLimit: 20,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: job.expireSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: 3600,
    };
    await boss.createQueue(job.name, { policy: 'exclusive', ...settings });
    // One that an earlier version made keeps what that one said.
    await boss.updateQueue(job.name, settings);
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' });
  });

async function work(boss: PgBoss, context: Context, job: TimedJob): Promise<void> {
  await boss.work(job.name, { pollingIntervalSeconds: 0.5 }, async () => {
    const started = performance.now();
    try {
      await job.run();
    } catch (error) {
      // pg-boss keeps the fault for the next try and tells nobody.
      if (!noteOutage(context, error)) context.log.error({ err: error, job: job.name }, 'job failed');
      throw error;
    }
    context.log.debug({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done');
  });
}
