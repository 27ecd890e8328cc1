import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/db/connect.ts';
import { listenTo } from '#server/db/listen.ts';
import { onCommit } from '#server/db/tx.ts';
import { startLoop } from '#server/jobs/engine.ts';
import { outsideRequests } from '#server/telemetry/request-id.ts';
import { notify } from './event-sql.ts';
import { type Live, reportFault } from './open-live.ts';
import { singleFlight } from './single-flight.ts';

const CHANNEL = 'live';
const ROUND_MS = 1000;
/** The shortest time between two notifications of other processes. */
const NOTIFY_MS = 50;

/**
 * Keeps sockets up to date: every second, and at once after a commit of this or another process. The notification is sent
 * after the commit, not in the transaction: PostgreSQL serializes commits of transactions that notify, so trades would wait
 * for each other's disk. A lost notification delays updates by at most a second.
 *
 * @returns a function that stops it
 */
export function startLive(context: Context, database: Database, live: Live): () => Promise<void> {
  const poll = () => void live.poll().catch((error: unknown) => reportFault(context, error));
  const publish = database.engine === 'pglite' ? live.poll : () => notify(context.db, CHANNEL);
  const stopping = new AbortController();
  const publishOnce = singleFlight(async () => {
    await publish();
    await wait(NOTIFY_MS, undefined, { signal: stopping.signal }).catch(() => {});
  });
  let publishing = Promise.resolve();
  const onWrite = () => {
    publishing = outsideRequests(publishOnce).catch((error: unknown) => reportFault(context, error));
  };
  const subscriptions = [context.db, database.jobs].map((db) => onCommit(db, onWrite));
  const stopListening = listenTo(database, CHANNEL, poll);
  const stopRounds = startLoop(context, { name: 'live', pauseMs: ROUND_MS, round: live.tick });
  return async () => {
    for (const unsubscribe of subscriptions) unsubscribe();
    stopping.abort();
    await Promise.all([publishing, stopListening(), stopRounds()]);
    await live.poll().catch((error: unknown) => reportFault(context, error));
  };
}
