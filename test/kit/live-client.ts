import assert from 'node:assert';
import { type LiveMessage, liveMessage } from '#contract/live/live.ts';
import { livePath, liveTopics } from '#contract/live/live-rules.ts';

/** A socket to a server process, as a browser opens it. */
export type LiveClient = {
  readonly told: LiveMessage[];
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** The first message received, or the next one, that matches. */
  readonly wait: (isWanted: (message: LiveMessage) => boolean) => Promise<LiveMessage>;
  /** The last cursor received. */
  readonly position: () => string;
  readonly close: () => void;
};

/** Opens a socket and waits until it is ready, or closed. */
export async function openLiveClient(origin: string, token: string, since?: string): Promise<LiveClient> {
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}${livePath}`);
  const told: LiveMessage[] = [];
  const waiting = new Set<(message: LiveMessage) => void>();
  socket.onmessage = ({ data }) => {
    const message = liveMessage.parse(JSON.parse(data));
    told.push(message);
    for (const hear of waiting) hear(message);
  };
  const closed = new Promise<number>((resolve) => {
    socket.onclose = ({ code }) => resolve(code);
  });
  const wait: LiveClient['wait'] = (isWanted) =>
    new Promise((resolve) => {
      const found = told.find(isWanted);
      if (found !== undefined) return resolve(found);
      const hear = (message: LiveMessage) => {
        if (!isWanted(message)) return;
        waiting.delete(hear);
        resolve(message);
      };
      waiting.add(hear);
    });
  socket.onopen = () =>
    socket.send(JSON.stringify({ token, topics: liveTopics, ...(since === undefined ? {} : { since }) }));
  await Promise.race([wait(({ type }) => type === 'ready'), closed]);
  const position = () => {
    const positions = told.flatMap((message) => ('position' in message ? [message.position] : []));
    const last = positions.at(-1);
    assert(last !== undefined, 'it was told no position');
    return last;
  };
  return { told, closed, wait, position, close: () => socket.close() };
}
