import { setImmediate } from 'node:timers/promises';
import { type LiveMessage, liveMessage } from '#contract/live/live.ts';
import { type LiveTopic, liveTopics } from '#contract/live/live-rules.ts';
import type { Connection } from './connection.ts';
import type { LiveSocket } from './listener.ts';
import type { Live } from './open-live.ts';

export type TestSocket = ReturnType<typeof testSocket>;

/** A socket that records what it is sent. Every message must match the contract. */
export function testSocket() {
  const sent: LiveMessage[] = [];
  const closes: number[] = [];
  let pings = 0;
  let isTerminated = false;
  let buffered = 0;
  return {
    sent,
    closes,
    pings: () => pings,
    isTerminated: () => isTerminated,
    get bufferedAmount() {
      return buffered;
    },
    /** Bytes that its client has not read yet. */
    fill: (bytes: number) => {
      buffered = bytes;
    },
    send: (text: string) => {
      sent.push(liveMessage.parse(JSON.parse(text)));
    },
    write: (frame: Buffer) => {
      sent.push(liveMessage.parse(JSON.parse(frame.toString('utf8', frame.indexOf('{')))));
    },
    ping: () => {
      pings += 1;
    },
    close: (code: number) => {
      closes.push(code);
    },
    terminate: () => {
      isTerminated = true;
    },
    /** The messages of a type, oldest first. */
    of: <T extends LiveMessage['type']>(type: T) =>
      sent.filter((message): message is Extract<LiveMessage, { type: T }> => message.type === type),
    /** The last cursor it received. */
    position: () => sent.flatMap((message) => ('position' in message ? [message.position] : [])).at(-1) ?? '',
  } satisfies LiveSocket & Record<string, unknown>;
}

export type TestConnection = { readonly socket: TestSocket; readonly connection: Connection };

/** A socket with this token, already accepted or closed on return. */
export async function listen(
  live: Live,
  token: string,
  { topics = liveTopics, since }: { topics?: readonly LiveTopic[]; since?: string } = {},
): Promise<TestConnection> {
  const socket = testSocket();
  const connection = live.connect(socket);
  connection.receive(JSON.stringify({ token, topics, ...(since === undefined ? {} : { since }) }));
  while (socket.sent.length === 0 && socket.closes.length === 0) {
    await live.poll();
    // A poll without a waiting socket ends at once; looking up the token takes one more tick.
    await setImmediate();
  }
  return { socket, connection };
}
