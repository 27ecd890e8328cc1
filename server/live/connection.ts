import { type LiveHandshake, liveHandshake } from '#contract/live/live.ts';
import { liveCloses, liveHandshakeMs } from '#contract/live/live-rules.ts';
import type { Listener, LiveSocket } from './listener.ts';

/** Events of one socket. */
export type Connection = {
  receive(text: string): void;
  pong(): void;
  disconnect(): void;
};

export type ConnectionHandlers = {
  /** @returns nothing for a socket that was closed instead */
  readonly accept: (
    socket: LiveSocket,
    handshake: LiveHandshake,
    isGone: () => boolean,
  ) => Promise<Listener | undefined>;
  readonly release: (listener: Listener | undefined) => void;
  readonly report: (error: unknown) => void;
};

/** For sockets that are closed as soon as they open. */
export const rejectedConnection: Connection = { receive: () => {}, pong: () => {}, disconnect: () => {} };

/** One exists for each open socket, so it holds nothing that is no longer needed. */
export class LiveConnection implements Connection {
  readonly #socket: LiveSocket;
  readonly #handlers: ConnectionHandlers;
  #handshakeTimeout: NodeJS.Timeout | undefined;
  #listener: Listener | undefined;
  #hasReceived = false;
  #isGone = false;

  constructor(socket: LiveSocket, handlers: ConnectionHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    this.#handshakeTimeout = setTimeout(() => socket.close(liveCloses.unreadable), liveHandshakeMs);
  }

  receive(text: string): void {
    this.#clearTimeout();
    const handshake = this.#hasReceived ? undefined : readHandshake(text);
    this.#hasReceived = true;
    if (handshake === undefined) {
      this.#socket.close(liveCloses.unreadable);
      return;
    }
    this.#handlers
      .accept(this.#socket, handshake, () => this.#isGone)
      .then(
        (listener) => {
          this.#listener = listener;
        },
        (error: unknown) => {
          this.#handlers.report(error);
          this.#socket.close(liveCloses.full);
        },
      );
  }

  pong(): void {
    this.#listener?.pong();
  }

  disconnect(): void {
    this.#clearTimeout();
    if (this.#isGone) return;
    this.#isGone = true;
    this.#handlers.release(this.#listener);
  }

  #clearTimeout(): void {
    clearTimeout(this.#handshakeTimeout);
    this.#handshakeTimeout = undefined;
  }
}

/** The first message of a client, or undefined when it is not a handshake. */
function readHandshake(text: string): LiveHandshake | undefined {
  try {
    return liveHandshake.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
