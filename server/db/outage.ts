import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Context } from '#server/context.ts';
import { outsideRequests } from '#server/request-id.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';
import { probeRoom, probeWrite } from './write-probe.ts';

const AGAIN_MS = 1000;
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
  const standing = outages.get(place.log);
  // What waits too long meanwhile, waits for it.
  if (standing !== undefined && isPastLimit(error)) return true;
  if (!isDatabaseGone(error)) return false;
  if (standing !== undefined) {
    standing.isFresh = true;
    return true;
  }
  const outage = { beganAt: performance.now(), isFresh: true };
  outages.set(place.log, outage);
  firstLog.warn({ err: error }, 'database not available');
  outsideRequests(() => void follow(place, outage));
  return true;
}

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
