import { AsyncLocalStorage } from 'node:async_hooks';

/** The user of a connection: requests of one caller share a part of the pool, and so do all writes. */
export type Work = { readonly caller: string; readonly writes: boolean };

const works = new AsyncLocalStorage<Work>();

/** Acquires connections within `act` as part of that work. Outside it (sign-in checks, jobs) there is no limit. */
export const withPoolShare = <T>(work: Work, act: () => T): T => works.run(work, act);

/** No connection within the time limit: this caller, or all writers, already hold their share. */
export class AcquireTimeout extends Error {
  constructor() {
    super('no connection of the pool within the limit');
  }
}

type Waiting = { readonly work: Work; readonly go: () => void };

/**
 * Divides a pool, so that one locked row never blocks everything: requests that wait for it hold only a part of the
 * connections. A caller may hold two fifths and all writes three fifths (only they wait for rows); two tenths remain
 * for authentication.
 */
export class PoolSemaphore {
  readonly #waitMs: number;
  readonly #maxOfCaller: number;
  readonly #maxWriting: number;
  readonly #most: number;
  readonly #ofCaller = new Map<string, number>();
  #writing = 0;
  #running = 0;
  readonly #waiting = new Set<Waiting>();

  constructor({ connections, waitMs }: { readonly connections: number; readonly waitMs: number }) {
    const part = (tenths: number) => Math.max(1, Math.floor((connections * tenths) / 10));
    this.#waitMs = waitMs;
    this.#maxOfCaller = part(4);
    this.#maxWriting = part(6);
    this.#most = part(8);
  }

  /** @returns a function that releases it; undefined without a limit. @throws AcquireTimeout */
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
      (!writes || this.#writing < this.#maxWriting) &&
      (this.#ofCaller.get(caller) ?? 0) < this.#maxOfCaller
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
      // After blocking the event loop, releases that are already queued come first.
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
    // First come, first served, among those within their limits.
    for (const waiting of this.#waiting) if (this.#isFree(waiting.work)) waiting.go();
  }
}
