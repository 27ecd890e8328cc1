import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { ServerClient } from './server-client.ts';
import type { Servers } from './servers.ts';

const AGAIN_MS = 1000;

/**
 * Hears what other processes notify on a channel, on a connection of its own. While the server is away it tries again;
 * after every connection it calls `hear` once, because of what it may have missed. The embedded database has no other
 * processes, so nothing is ever heard there.
 *
 * @returns ends it
 */
export function listenTo(database: Database, channel: string, hear: () => void): () => Promise<void> {
  const { sessions } = database;
  if (sessions === undefined) return async () => {};
  const stopping = new AbortController();
  const ended = listenUntil(stopping.signal, sessions, channel, hear);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function listenUntil(stop: AbortSignal, servers: Servers, channel: string, hear: () => void): Promise<void> {
  while (!stop.aborted) {
    await listenOnce(stop, servers, channel, hear);
    await wait(AGAIN_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** Ends with its connection. That the server is away is no fault of this process: the next try says whether it is back. */
async function listenOnce(stop: AbortSignal, servers: Servers, channel: string, hear: () => void): Promise<void> {
  const client = new ServerClient({ servers, keepAlive: true, application_name: 'tradewind live' });
  const gone = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', hear);
  const listening = client.connect().then(() => client.query(`listen ${client.escapeIdentifier(channel)}`));
  await listening.then(hear).then(
    () => gone,
    () => {},
  );
  await client.end().catch(() => {});
}
