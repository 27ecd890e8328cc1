import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { ServerClient } from './server-client.ts';
import type { Servers } from './servers.ts';

const RETRY_MS = 1000;

/**
 * Listens for notifications of other processes on a channel, on its own connection. Reconnects after an outage, and
 * calls `receive` once after every connection, because notifications may have been missed. The embedded database has no
 * other processes and never notifies.
 *
 * @returns a function that stops it
 */
export function listenTo(database: Database, channel: string, receive: () => void): () => Promise<void> {
  const { sessions } = database;
  if (sessions === undefined) return async () => {};
  const stopping = new AbortController();
  const ended = listenUntil(stopping.signal, sessions, channel, receive);
  return async () => {
    stopping.abort();
    await ended;
  };
}

async function listenUntil(stop: AbortSignal, servers: Servers, channel: string, receive: () => void): Promise<void> {
  while (!stop.aborted) {
    await listenOnce(stop, servers, channel, receive);
    await wait(RETRY_MS, undefined, { signal: stop }).catch(() => {});
  }
}

/** Ends with its connection. An unavailable server is no fault here: the next attempt connects again. */
async function listenOnce(stop: AbortSignal, servers: Servers, channel: string, receive: () => void): Promise<void> {
  const client = new ServerClient({ servers, keepAlive: true, application_name: 'tradewind live' });
  const gone = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', receive);
  const listening = client.connect().then(() => client.query(`listen ${client.escapeIdentifier(channel)}`));
  await listening.then(receive).then(
    () => gone,
    () => {},
  );
  await client.end().catch(() => {});
}
