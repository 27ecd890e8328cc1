import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { BadConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { execute } from '#server/db/rows.ts';
import { faultOf } from '#server/describe-error.ts';
import { outsideRequests } from '#server/request-id.ts';
import type { Db } from './connect.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';

const AGAIN_MS = 1000;
/** How long a start waits: longer than a standby needs to take the place of its primary. */
const BEGIN_MS = 60_000;
/** Looks in a row that find nothing: what was begun in an outage may fail a moment after its end, and is no other outage. */
const QUIET_LOOKS = 2;

type Outage = {
  readonly beganAt: number;
  /** Whether a fault was noted since the database was last asked. */
  isFresh: boolean;
};

/** Of a process, which has one log however many pools it has. */
const outages = new WeakMap<Logger, Outage>();

type Place = Pick<Context, 'db' | 'reserved' | 'log'>;

/**
 * Whether a fault is the database's being away, or unable to write, which passes by itself. However many loops, requests
 * and queues run into it, it is one outage of this process with one line in the log; from then on the database is asked
 * each second, and a second line says when it did again what it is there for and nobody met another fault meanwhile.
 *
 * @param firstLog writes the first line: the request's own, where what came with the request is to be kept out of it
 */
export function noteOutage(place: Place, error: unknown, firstLog: Logger = place.log): boolean {
  const ongoing = outages.get(place.log);
  // What waits too long meanwhile, waits for it.
  if (ongoing !== undefined && isPastLimit(error)) return true;
  if (!isDatabaseGone(error)) return false;
  if (ongoing !== undefined) {
    ongoing.isFresh = true;
    return true;
  }
  const outage = { beganAt: performance.now(), isFresh: true };
  outages.set(place.log, outage);
  firstLog.warn({ err: error }, 'database not available');
  outsideRequests(() => void follow(place, outage));
  return true;
}

/**
 * Does a part of the start. A primary that dies, or a standby that is not promoted yet, does not end a server that starts:
 * the work is done again each second until the database takes it. So the work has to be idempotent.
 *
 * @throws what is no outage, at once; BadConfig for an outage that outlasts the patience
 */
export async function beginThroughOutage<T>(
  place: Place,
  work: () => Promise<T>,
  patienceMs: number = BEGIN_MS,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  while (true) {
    try {
      return await work();
    } catch (error) {
      if (!noteOutage(place, error)) throw error;
      if (performance.now() >= giveUpAt) throw nameOutage(error);
    }
    await wait(AGAIN_MS);
  }
}

/** The same for a command of the terminal, which does not wait. @throws BadConfig for an outage, at once */
export const refuseOutage = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw isDatabaseGone(error) ? nameOutage(error) : error;
  });

const nameOutage = (error: unknown) => new BadConfig(`PostgreSQL is not available (${faultOf(error)}).`);

/** A process that closes its database waits for it no longer. */
export const forgetOutage = ({ log }: Place): void => void outages.delete(log);

/**
 * Asks on a connection that is kept for it. Returns when the database takes writes and, while an outage stands, gives room for them.
 * @throws the fault otherwise
 */
export async function checkDatabase({ db, reserved = db, log }: Place): Promise<void> {
  await probeWrite(reserved);
  if (outages.has(log)) await probeRoom(reserved);
}

async function follow(place: Place, outage: Outage): Promise<void> {
  const { log } = place;
  const stands = () => outages.get(log) === outage;
  let quiet = 0;
  while (quiet < QUIET_LOOKS) {
    await wait(AGAIN_MS, undefined, { ref: false });
    if (!stands()) return;
    quiet = (await isOver(place, outage)) ? quiet + 1 : 0;
  }
  if (!stands()) return;
  outages.delete(log);
  log.warn({ ms: Math.round(performance.now() - outage.beganAt) }, 'database available again');
}

async function isOver(place: Place, outage: Outage): Promise<boolean> {
  outage.isFresh = false;
  try {
    await checkDatabase(place);
    return !outage.isFresh;
  } catch (error) {
    // Another fault is no outage: the database answers, and whoever calls next is told what.
    return !isDatabaseGone(error);
  }
}

/** Writes and commits: that a database can be read says neither that it is the one that takes writes nor that it can. */
const probeWrite = (db: Db) => execute(db)`update http.readiness set written_at = clock_timestamp()`;

const PAGES = 8;

/**
 * Asks for new pages and gives them back. A full disk is seen by nothing less: a row that is changed in its place needs
 * no room. For the time of an outage only, because what was given back is free no sooner than the next vacuum.
 */
async function probeRoom(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`insert into http.room (filler) select repeat('x', 8000) from generate_series(1, ${PAGES})`.execute(tx);
    await sql`delete from http.room`.execute(tx);
  });
}
