import type { LiveMessage } from '#contract/live/live.ts';
import { type LiveTopic, liveCloses, liveHeartbeatMs } from '#contract/live/live-rules.ts';

/** The socket as this folder needs it. */
export type Line = {
  /** Bytes that were sent and have not left this process. */
  readonly bufferedAmount: number;
  readonly send: (text: string) => void;
  /** What is said to everybody: bytes that frameText made once for all of them. */
  readonly write: (frame: Buffer) => void;
  readonly ping: () => void;
  readonly close: (code: number) => void;
  /** Ends it without a word to who does not answer. */
  readonly terminate: () => void;
};

/** With more than that on the way, a socket is told no prices and the rest waits here. */
export const mostBufferedBytes = 256 * 1024;
/** With more than that waiting it is closed: its reader comes again and is told what it missed from the database. */
export const mostWaitingBytes = 256 * 1024;
const MOST_UNANSWERED = 2;

export type Who = {
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  readonly topics: ReadonlySet<LiveTopic>;
  readonly now: Date;
};

/** One socket of a member who is signed in. */
export class Listener {
  readonly memberId: bigint;
  readonly authSessionId: bigint;
  /** When the sign-in ends if it is not used meanwhile. */
  endsAtMs = 0;
  /** The balances it was told last, so that it is told no others. */
  toldBalance = '';
  readonly #line: Line;
  readonly #topics: ReadonlySet<LiveTopic>;
  /** Nearly nobody has to wait. */
  #waiting: string[] | undefined;
  #waitingBytes = 0;
  #heartbeatMs: number;
  #unanswered = 0;
  #isClosed = false;

  constructor(line: Line, { memberId, authSessionId, topics, now }: Who) {
    this.memberId = memberId;
    this.authSessionId = authSessionId;
    this.#line = line;
    this.#topics = topics;
    this.#heartbeatMs = now.getTime();
  }

  wants(topic: LiveTopic): boolean {
    return this.#topics.has(topic);
  }

  /** Tells it in its turn: nothing is left out, whatever the reader's pace. */
  tell(message: LiveMessage): void {
    if (this.#isClosed) return;
    const text = JSON.stringify(message);
    this.passOn();
    if (this.#waiting === undefined && this.#hasRoom) {
      this.#line.send(text);
      return;
    }
    this.#waiting ??= [];
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    if (this.#waitingBytes > mostWaitingBytes) this.close(liveCloses.tooSlow);
  }

  /** Prices count only while they are the newest: a reader who is behind gets the next ones instead. */
  show(frame: Buffer): void {
    if (this.#waiting === undefined && this.#hasRoom && !this.#isClosed) this.#line.write(frame);
  }

  /** What waits goes on as far as there is room for it. */
  passOn(): void {
    if (this.#waiting === undefined) return;
    while (this.#waiting.length > 0 && this.#hasRoom) {
      const text = this.#waiting.shift() as string;
      this.#waitingBytes -= text.length;
      this.#line.send(text);
    }
    if (this.#waiting.length === 0) this.#waiting = undefined;
  }

  get #hasRoom(): boolean {
    return this.#line.bufferedAmount <= mostBufferedBytes;
  }

  /** A heartbeat every twenty seconds; a socket that missed two is terminated. */
  heartbeat(now: Date, message: LiveMessage): void {
    if (now.getTime() - this.#heartbeatMs < liveHeartbeatMs) return;
    if (this.#unanswered >= MOST_UNANSWERED) {
      this.#line.terminate();
      return;
    }
    this.#heartbeatMs = now.getTime();
    this.#unanswered += 1;
    this.#line.ping();
    this.tell(message);
  }

  answer(): void {
    this.#unanswered = 0;
  }

  /** Nothing is said afterwards, however long the other end takes to hear of it. */
  close(code: number): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#waiting !== undefined) this.#waiting.length = 0;
    this.#line.close(code);
  }
}

/** The sockets of this process that are told what happens. */
export class Listeners {
  /** Those of a member are never changed, so that each of them, nearly always one, is a list to go through as it is. */
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
    return this.#ofMembers.get(memberId) ?? nobody;
  }

  ofTopic(topic: LiveTopic): Listener[] {
    return this.all().filter((listener) => listener.wants(topic));
  }
}

const nobody: readonly Listener[] = [];
