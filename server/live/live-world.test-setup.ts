import { setImmediate } from 'node:timers/promises';
import { type LiveMessage, liveMessage } from '#contract/live/live.ts';
import { type LiveTopic, liveTopics } from '#contract/live/live-rules.ts';
import type { Guest } from './guest.ts';
import type { Line } from './listener.ts';
import type { Live } from './open-live.ts';

export type TestLine = ReturnType<typeof testLine>;

/** A socket that keeps what it was told. Everything said has the form that the contract promises. */
export function testLine() {
  const told: LiveMessage[] = [];
  const closes: number[] = [];
  let pings = 0;
  let isTerminated = false;
  let buffered = 0;
  return {
    told,
    closes,
    pings: () => pings,
    isTerminated: () => isTerminated,
    get bufferedAmount() {
      return buffered;
    },
    /** Bytes that its reader has not read yet. */
    fill: (bytes: number) => {
      buffered = bytes;
    },
    send: (text: string) => {
      told.push(liveMessage.parse(JSON.parse(text)));
    },
    write: (frame: Buffer) => {
      told.push(liveMessage.parse(JSON.parse(frame.toString('utf8', frame.indexOf('{')))));
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
      told.filter((message): message is Extract<LiveMessage, { type: T }> => message.type === type),
    /** The last position it was told. */
    position: () => told.flatMap((message) => ('position' in message ? [message.position] : [])).at(-1) ?? '',
  } satisfies Line & Record<string, unknown>;
}

export type TestGuest = { readonly line: TestLine; readonly guest: Guest };

/** A socket of whoever has the token, let in or closed by the time it returns. */
export async function listen(
  live: Live,
  token: string,
  { topics = liveTopics, since }: { topics?: readonly LiveTopic[]; since?: string } = {},
): Promise<TestGuest> {
  const line = testLine();
  const guest = live.meet(line);
  guest.hear(JSON.stringify({ token, topics, ...(since === undefined ? {} : { since }) }));
  while (line.told.length === 0 && line.closes.length === 0) {
    await live.look();
    // A look that finds nobody waiting ends at once; who is looked up meanwhile needs a turn, too.
    await setImmediate();
  }
  return { line, guest };
}
