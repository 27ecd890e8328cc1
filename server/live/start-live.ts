import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { listenTo } from '#server/db/listen.ts';
import { onCommit } from '#server/db/tx.ts';
import { startLoop } from '#server/jobs/engine.ts';
import { outsideRequests } from '#server/request-id.ts';
import { notify } from './event-sql.ts';
import { type Live, reportFault } from './open-live.ts';
import { singleFlight } from './single-flight.ts';

const CHANNEL = 'live';
const ROUND_MS = 1000;
/** However much is written, other processes are called no more often. */
const CALL_MS = 50;

/**
 * Keeps sockets up to date: every second, and at once after a commit of this or another process. The call goes out
 * after the commit and not in the transaction: PostgreSQL serializes the commits of transactions that notify, so trades
 * would wait for each other's disk. A lost call is made up for within a second.
 *
 * @returns ends it
 */
export function startLive(context: Context, database: Database, live: Live): () => Promise<void> {
  const look = () => void live.look().catch((error: unknown) => reportFault(context, error));
  const call = database.engine === 'pglite' ? live.look : () => notify(context.db, CHANNEL);
  const stopping = new AbortController();
  const callOut = singleFlight(async () => {
    await call();
    await wait(CALL_MS, undefined, { signal: stopping.signal }).catch(() => {});
  });
  let calling = Promise.resolve();
  const hear = () => {
    calling = outsideRequests(callOut).catch((error: unknown) => reportFault(context, error));
  };
  const stopsHearing = [context.db, database.jobs].map((db) => onCommit(db, hear));
  const stopListening = listenTo(database, CHANNEL, look);
  const stopRounds = startLoop(context, { name: 'live', pauseMs: ROUND_MS, round: live.tick });
  return async () => {
    for (const stopHearing of stopsHearing) stopHearing();
    stopping.abort();
    await Promise.all([calling, stopListening(), stopRounds()]);
    await live.look().catch((error: unknown) => reportFault(context, error));
  };
}
