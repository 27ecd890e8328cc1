import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { execute } from '#server/db/rows.ts';
import { faultOf } from '#server/telemetry/describe-error.ts';
import { outsideRequests } from '#server/telemetry/request-id.ts';
import type { Db } from './connect.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';

const RETRY_MS = 1000;
/** How long a start waits: longer than a failover takes. */
const START_MS = 60_000;
/**
 * Successful checks in a row that end an outage: work from the outage may fail shortly after it and must not count as
 * new.
 */
const HEALTHY_CHECKS = 2;

type Outage = {
  readonly beganAt: number;
  /** Whether a fault was noted since the last check. */
  isFresh: boolean;
};

/** One per process, which has one log and several pools. */
const outages = new WeakMap<Logger, Outage>();

type OutageContext = Pick<Context, 'db' | 'reserved' | 'log'>;

/**
 * Whether a fault is an outage: the database is unavailable or cannot write, for now. All faults of a process during an
 * outage share one log line. From then on the database is checked every second, and a second line is logged when it
 * works again and no further fault occurred.
 *
 * @param firstLog writes the first line: a request's own log, if values of the request must be hidden in it
 */
export function noteOutage(context: OutageContext, error: unknown, firstLog: Logger = context.log): boolean {
  const ongoing = outages.get(context.log);
  // Timeouts during an outage are part of it.
  if (ongoing !== undefined && isPastLimit(error)) return true;
  if (!isDatabaseGone(error)) return false;
  if (ongoing !== undefined) {
    ongoing.isFresh = true;
    return true;
  }
  const outage = { beganAt: performance.now(), isFresh: true };
  outages.set(context.log, outage);
  firstLog.warn({ err: error }, 'database not available');
  outsideRequests(() => void follow(context, outage));
  return true;
}

/**
 * Runs a part of the start and retries it every second during an outage, such as a failover, so the work must be
 * idempotent.
 *
 * @throws other errors immediately; BadConfig for an outage that lasts longer than `patienceMs`
 */
export async function beginThroughOutage<T>(
  context: OutageContext,
  work: () => Promise<T>,
  patienceMs: number = START_MS,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!noteOutage(context, error)) throw error;
      if (performance.now() >= giveUpAt) throw nameOutage(error);
    }
    await wait(RETRY_MS);
  }
}

/** The same for a command of the terminal, which does not wait. @throws BadConfig for an outage, at once */
export const refuseOutage = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw isDatabaseGone(error) ? nameOutage(error) : error;
  });

/** Of codes that a running server sends, which somebody must act on. */
const CAUSES: Readonly<Record<string, string>> = {
  53100: 'its disk is full',
  53300: 'max_connections is too low',
  25006: 'it is read-only',
};

function nameOutage(error: unknown): BadConfig {
  const fault = faultOf(error);
  const cause = CAUSES[fault];
  return new BadConfig(`PostgreSQL is not available (${cause === undefined ? fault : `${fault}: ${cause}`}).`);
}

/** Stops waiting for the end of an outage, when the process closes its database. */
export const forgetOutage = ({ log }: OutageContext): void => void outages.delete(log);

/**
 * Checks on a reserved connection that the database accepts writes and, during an outage, has disk space.
 *
 * @throws the fault otherwise
 */
export async function checkDatabase({ db, reserved = db, log }: OutageContext): Promise<void> {
  await probeWrite(reserved);
  if (outages.has(log)) await probeRoom(reserved);
}

async function follow(context: OutageContext, outage: Outage): Promise<void> {
  const { log } = context;
  const isOngoing = () => outages.get(log) === outage;
  let healthy = 0;
  while (healthy < HEALTHY_CHECKS) {
    await wait(RETRY_MS, undefined, { ref: false });
    if (!isOngoing()) return;
    healthy = (await isOver(context, outage)) ? healthy + 1 : 0;
  }
  if (!isOngoing()) return;
  outages.delete(log);
  log.warn({ ms: Math.round(performance.now() - outage.beganAt) }, 'database available again');
}

async function isOver(context: OutageContext, outage: Outage): Promise<boolean> {
  outage.isFresh = false;
  try {
    await checkDatabase(context);
    return !outage.isFresh;
  } catch (error) {
    // Any other fault is no outage: the database responds, and the next caller gets the error.
    return !isDatabaseGone(error);
  }
}

/** Writes and commits: a readable database may be a standby or unable to write. */
const probeWrite = (db: Db) => execute(db)`update http.readiness set written_at = clock_timestamp()`;

const PAGES = 8;

/**
 * Allocates new pages and deletes them again, the only way to detect a full disk: updating a row in place needs no
 * space. Only during an outage, because the space is not free again before the next vacuum.
 */
async function probeRoom(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`insert into http.room (filler) select repeat('x', 8000) from generate_series(1, ${PAGES})`.execute(tx);
    await sql`delete from http.room`.execute(tx);
  });
}
