import { setTimeout as wait } from 'node:timers/promises';
import { fromPglite, PgBoss } from 'pg-boss';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { mayMigrate } from '#server/db/migrate.ts';
import { beginThroughOutage, noteOutage } from '#server/db/outage.ts';

/** A scheduled job. It is idempotent and may run at any time, on any worker, more than once. */
export type TimedJob = {
  /** The queue name: `domain.what`. */
  readonly name: string;
  /** Cron in UTC; every job also runs when it is sent by name. */
  readonly cron: string;
  readonly run: () => Promise<unknown>;
  /** Seconds after which a hanging job is abandoned and runs elsewhere. */
  readonly expireSeconds: number;
};

/** Never set back: pg-boss would run nothing until the machine's clock is again where it was. */
const steadyClock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number) => setInterval(work, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};

/** A worker without a heartbeat for this long has died: its job runs elsewhere, however long it may take. */
const HEARTBEAT_SECONDS = 60;

export type Queues = {
  /** Requests a run soon; two requests before it starts are one run. */
  readonly send: (name: string) => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Starts pg-boss on the same database, which assigns jobs to workers and recovers from crashes. Failed jobs are retried
 * with increasing delays.
 */
export async function startQueues(context: Context, database: Database, jobs: readonly TimedJob[]): Promise<Queues> {
  const { databaseMigrateUrl } = context.config;
  const migrates =
    databaseMigrateUrl === undefined && (await beginThroughOutage(context, () => mayMigrate(database.db)));
  const boss = new PgBoss({
    ...bossOptionsOf(database, 3),
    migrate: migrates,
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 5,
    clock: steadyClock,
    // How long the clock may stand still, as in a machine that slept, until it is set by the database's.
    clockMonitorIntervalSeconds: 60,
  });
  boss.on('error', (reported: unknown) => {
    // Some are reported as copies, which are not Errors.
    const error = reported instanceof Error ? reported : Object.assign(new Error(), reported);
    const lost = jobs.find(({ name }) => error.message.startsWith(`Queue ${name} does not exist`));
    if (lost !== undefined) return recreate(lost);
    if (!noteOutage(context, error)) context.log.error({ err: error }, 'job queue failed');
  });
  const made = new Set<TimedJob>();
  /** Recreates a queue lost in a failover: created on a primary that died before its standby had it. */
  const recreate = (job: TimedJob) => {
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

const bossOptionsOf = ({ pglite, pooled }: Database, connections: number) => ({
  ...(pglite ? { db: fromPglite(pglite), backend: 'pglite' as const } : { ...pooled, max: connections }),
  schema: 'pgboss',
});

/** Stops after a failed start, so that it can be retried. */
async function start(boss: PgBoss): Promise<void> {
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    // From pg-boss, if its tables are missing or of another version and it may not change them.
    if (error instanceof Error && /^pg-boss /.test(error.message))
      throw new BadConfig(`DATABASE_MIGRATE_URL: ${error.message}. Run npm run migrate.`);
    throw error;
  }
}

/** Creates or updates the tables of the queues, including indexes that are built afterwards. Runs no job. */
export async function installQueues(database: Database): Promise<void> {
  const boss = new PgBoss({ ...bossOptionsOf(database, 2), supervise: false, schedule: false, bamIntervalSeconds: 10 });
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
    // `exclusive`: at most one of a kind is queued or running, so frequent requests are harmless.
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
    // A queue created by an earlier version would keep its old settings.
    await boss.updateQueue(job.name, settings);
    await boss.schedule(job.name, job.cron, null, { tz: 'UTC' });
  });

async function work(boss: PgBoss, context: Context, job: TimedJob): Promise<void> {
  await boss.work(job.name, { pollingIntervalSeconds: 0.5 }, async () => {
    const started = performance.now();
    try {
      await job.run();
    } catch (error) {
      // pg-boss stores the error for the retry without logging it.
      if (!noteOutage(context, error)) context.log.error({ err: error, job: job.name }, 'job failed');
      throw error;
    }
    context.log.debug({ job: job.name, ms: Math.round(performance.now() - started) }, 'job done');
  });
}
