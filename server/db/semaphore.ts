import { AsyncLocalStorage } from 'node:async_hooks';

/** Whom a connection is for: requests of one caller share a part of the pool, and so do all that write. */
export type Work = { readonly caller: string; readonly writes: boolean };

const works = new AsyncLocalStorage<Work>();

/** What is done in it acquires its connections as a part of that work. Outside of it (sign-in checks, jobs) nobody waits. */
export const withPoolShare = <T>(work: Work, act: () => T): T => works.run(work, act);

/** No connection came within the limit: others hold what this caller, or all writers, may hold at once. */
export class AcquireTimeout extends Error {
  constructor() {
    super('no connection of the pool within the limit');
  }
}

type Waiting = { readonly work: Work; readonly go: () => void };

/**
 * Divides a pool, so that one locked row never stops everything: whoever waits for it holds a part of the connections at
 * most. A caller has two fifths, all that write three fifths (only they wait for rows), and two tenths are left for what
 * comes before a request is known: whose it is.
 */
export class PoolSemaphore {
  readonly #waitMs: number;
  readonly #mostOfCaller: number;
  readonly #mostWriting: number;
  readonly #most: number;
  readonly #ofCaller = new Map<string, number>();
  #writing = 0;
  #running = 0;
  readonly #waiting = new Set<Waiting>();

  constructor({ connections, waitMs }: { readonly connections: number; readonly waitMs: number }) {
    const part = (tenths: number) => Math.max(1, Math.floor((connections * tenths) / 10));
    this.#waitMs = waitMs;
    this.#mostOfCaller = part(4);
    this.#mostWriting = part(6);
    this.#most = part(8);
  }

  /** @returns what releases it; undefined where nobody has to wait. @throws AcquireTimeout */
  async acquire(work = works.getStore()): Promise<(() => void) | undefined> {
    if (work === undefined) return undefined;
    if (this.#isFree(work)) this.#begin(work);
    else await this.#wait(work);
    return () => this.#end(work);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  #isFree({ caller, writes }: Work): boolean {
    return (
      this.#running < this.#most &&
      (!writes || this.#writing < this.#mostWriting) &&
      (this.#ofCaller.get(caller) ?? 0) < this.#mostOfCaller
    );
  }

  #wait(work: Work): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        work,
        go: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#begin(work);
          resolve();
        },
      };
      const stop = () => {
        if (this.#waiting.delete(waiting)) reject(new AcquireTimeout());
      };
      // A process that was busy for as long hears first who has ended meanwhile.
      const timer = setTimeout(() => setImmediate(stop), this.#waitMs);
      this.#waiting.add(waiting);
    });
  }

  #begin({ caller, writes }: Work): void {
    this.#running += 1;
    if (writes) this.#writing += 1;
    this.#ofCaller.set(caller, (this.#ofCaller.get(caller) ?? 0) + 1);
  }

  #end({ caller, writes }: Work): void {
    this.#running -= 1;
    if (writes) this.#writing -= 1;
    const left = (this.#ofCaller.get(caller) ?? 0) - 1;
    if (left > 0) this.#ofCaller.set(caller, left);
    else this.#ofCaller.delete(caller);
    // In the order they came, whoever may now.
    for (const waiting of this.#waiting) if (this.#isFree(waiting.work)) waiting.go();
  }
}
