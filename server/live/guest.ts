import { type LiveHandshake, liveHandshake } from '#contract/live/live.ts';
import { liveCloses, liveHandshakeMs } from '#contract/live/live-rules.ts';
import type { Line, Listener } from './listener.ts';

/** What a socket is to whoever is at the other end of it. */
export type Guest = {
  hear(text: string): void;
  /** They answered the last beat. */
  answer(): void;
  leave(): void;
};

/** Who lets guests in. */
export type Door = {
  /** @returns nothing for a socket that was closed instead */
  readonly invite: (line: Line, handshake: LiveHandshake, isGone: () => boolean) => Promise<Listener | undefined>;
  readonly see: (leaving: Listener | undefined) => void;
  readonly report: (error: unknown) => void;
};

/** For sockets that are closed as they come. */
export const turnedAway: Guest = { hear: () => {}, answer: () => {}, leave: () => {} };

/** Somebody who has come. A class, and nothing kept that is over: there is one a socket, for as long as it is open. */
export class Visitor implements Guest {
  readonly #line: Line;
  readonly #door: Door;
  #patience: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;
  #hasSpoken = false;
  #isGone = false;

  constructor(line: Line, door: Door) {
    this.#line = line;
    this.#door = door;
    this.#patience = setTimeout(() => line.close(liveCloses.unreadable), liveHandshakeMs);
  }

  hear(text: string): void {
    this.#waitNoLonger();
    const handshake = this.#hasSpoken ? undefined : readHandshake(text);
    this.#hasSpoken = true;
    if (handshake === undefined) {
      this.#line.close(liveCloses.unreadable);
      return;
    }
    this.#door
      .invite(this.#line, handshake, () => this.#isGone)
      .then(
        (invited) => {
          this.#listener = invited;
        },
        (error: unknown) => {
          this.#door.report(error);
          this.#line.close(liveCloses.full);
        },
      );
  }

  answer(): void {
    this.#listener?.answer();
  }

  leave(): void {
    this.#waitNoLonger();
    if (this.#isGone) return;
    this.#isGone = true;
    this.#door.see(this.#listener);
  }

  #waitNoLonger(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }
}

/** The first message of a client, or undefined when it is none. */
function readHandshake(text: string): LiveHandshake | undefined {
  try {
    return liveHandshake.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
