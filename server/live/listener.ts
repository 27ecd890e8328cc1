import type { LiveMessage } from '#contract/live/live.ts';
import { type LiveTopic, liveCloses, liveHeartbeatMs } from '#contract/live/live-rules.ts';

/** What this folder needs of a WebSocket. */
export type LiveSocket = {
  /** Bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  readonly send: (text: string) => void;
  /** A frame that `frameText` made once for all sockets. */
  readonly write: (frame: Buffer) => void;
  readonly ping: () => void;
  readonly close: (code: number) => void;
  /** Ends it without a closing handshake. */
  readonly terminate: () => void;
};

/** A socket with more unsent bytes gets no prices; other messages are queued here. */
export const maxBufferedBytes = 256 * 1024;
/** With more queued bytes the socket is closed; the client reconnects and gets what it missed from the database. */
export const maxWaitingBytes = 256 * 1024;
const MAX_UNANSWERED = 2;

export type ListenerOptions = {
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  readonly topics: ReadonlySet<LiveTopic>;
  readonly now: Date;
};

/** One socket of a signed-in member. */
export class Listener {
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  /** When the sign-in expires unless it is used. */
  endsAtMs = 0;
  /** The balances sent last, so that they are sent only when they change. */
  lastBalance = '';
  readonly #socket: LiveSocket;
  readonly #topics: ReadonlySet<LiveTopic>;
  #queue: string[] | undefined;
  #queuedBytes = 0;
  #heartbeatMs: number;
  #unanswered = 0;
  #isClosed = false;

  constructor(socket: LiveSocket, { memberId, authSessionId, topics, now }: ListenerOptions) {
    this.memberId = memberId;
    this.authSessionId = authSessionId;
    this.#socket = socket;
    this.#topics = topics;
    this.#heartbeatMs = now.getTime();
  }

  wants(topic: LiveTopic): boolean {
    return this.#topics.has(topic);
  }

  /** Sends in order and drops nothing, however slowly the client reads. */
  send(message: LiveMessage): void {
    if (this.#isClosed) return;
    const text = JSON.stringify(message);
    this.flush();
    if (this.#queue === undefined && this.#hasRoom) {
      this.#socket.send(text);
      return;
    }
    this.#queue ??= [];
    this.#queue.push(text);
    this.#queuedBytes += text.length;
    if (this.#queuedBytes > maxWaitingBytes) this.close(liveCloses.tooSlow);
  }

  /** Skipped while the client is behind: only the newest prices matter. */
  sendPrices(frame: Buffer): void {
    if (this.#queue === undefined && this.#hasRoom && !this.#isClosed) this.#socket.write(frame);
  }

  /** Sends queued messages as far as the buffer has room. */
  flush(): void {
    if (this.#queue === undefined) return;
    while (this.#queue.length > 0 && this.#hasRoom) {
      const text = this.#queue.shift() as string;
      this.#queuedBytes -= text.length;
      this.#socket.send(text);
    }
    if (this.#queue.length === 0) this.#queue = undefined;
  }

  get #hasRoom(): boolean {
    return this.#socket.bufferedAmount <= maxBufferedBytes;
  }

  /** A heartbeat every twenty seconds; a socket that missed two is terminated. */
  heartbeat(now: Date, message: LiveMessage): void {
    if (now.getTime() - this.#heartbeatMs < liveHeartbeatMs) return;
    if (this.#unanswered >= MAX_UNANSWERED) {
      this.#socket.terminate();
      return;
    }
    this.#heartbeatMs = now.getTime();
    this.#unanswered += 1;
    this.#socket.ping();
    this.send(message);
  }

  pong(): void {
    this.#unanswered = 0;
  }

  /** Nothing is sent afterwards, even while the closing handshake is still under way. */
  close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#queue !== undefined) this.#queue.length = 0;
    this.#socket.close(code);
  }
}

/** The accepted sockets of this process, by member. */
export class Listeners {
  /** The arrays are replaced, never changed, so that they can be iterated without a copy. */
  readonly #ofMembers = new Map<bigint, readonly Listener[]>();

  add(listener: Listener): void {
    this.#ofMembers.set(listener.memberId, [...this.of(listener.memberId), listener]);
  }

  remove(listener: Listener): void {
    const others = this.of(listener.memberId).filter((one) => one !== listener);
    if (others.length > 0) this.#ofMembers.set(listener.memberId, others);
    else this.#ofMembers.delete(listener.memberId);
  }

  get isEmpty(): boolean {
    return this.#ofMembers.size === 0;
  }

  get memberIds(): bigint[] {
    return [...this.#ofMembers.keys()];
  }

  all(): Listener[] {
    return [...this.#ofMembers.values()].flat();
  }

  of(memberId: bigint): readonly Listener[] {
    return this.#ofMembers.get(memberId) ?? none;
  }

  ofTopic(topic: LiveTopic): Listener[] {
    return this.all().filter((listener) => listener.wants(topic));
  }
}

const none: readonly Listener[] = [];
