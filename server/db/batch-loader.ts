import { currentSpan, type Span, withSpan } from '#server/spans.ts';
import type { Db } from './connect.ts';
import { onceATurn } from './group-commit.ts';
import { type Work, withPoolShare } from './semaphore.ts';

type Waiting<Value> = {
  readonly key: bigint;
  readonly span: Span | undefined;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** Reads the values of all keys; what is not there is left out. */
export type Load<Value> = (keys: readonly bigint[]) => Promise<ReadonlyMap<bigint, Value>>;

/**
 * Answers calls that ask the same of different members by one statement. Nobody waits for company: a call that finds none
 * under way goes with those that were read in the same turn of the event loop. Those that come meanwhile are the next
 * batch. None joins a statement that was already sent, so that an answer is never older than its call.
 */
export class BatchLoader<Value> {
  readonly #load: Load<Value>;
  readonly #work: Work;
  readonly #stallMs: number;
  #waiting: Waiting<Value>[] = [];
  readonly #beginThisTurn = onceATurn(() => this.#begin());
  #isBusy = false;

  /**
   * @param name of the kind of read, under which its statements share the connections
   * @param stallMs after how long without an answer a statement no longer holds up the next batch
   */
  constructor(name: string, load: Load<Value>, stallMs = 50) {
    this.#work = { caller: name, writes: false };
    this.#load = load;
    this.#stallMs = stallMs;
  }

  /**
   * @returns undefined for a key that has no value
   * @throws what the database says of the whole batch: no key can be the cause
   */
  get(key: bigint): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, span: currentSpan(), resolve, reject });
      this.#beginThisTurn();
    });
  }

  #begin(): void {
    if (this.#isBusy || this.#waiting.length === 0) return;
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isBusy = true;
    let isHolding = true;
    const proceed = () => {
      clearTimeout(stall);
      if (!isHolding) return;
      isHolding = false;
      this.#isBusy = false;
      this.#begin();
    };
    const stall = setTimeout(proceed, this.#stallMs);
    void this.#settle(batch, proceed);
  }

  async #settle(batch: readonly Waiting<Value>[], proceed: () => void): Promise<void> {
    try {
      const load = () => withPoolShare(this.#work, () => this.#load(batch.map(({ key }) => key)));
      // A trace shows it as a part of the request that came first.
      const values = await withSpan(batch[0]?.span, load);
      for (const { key, resolve } of batch) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      proceed();
    }
  }
}

/** A loader for each database that is read, as the first call needs it. */
export function loadInBatches<Value>(
  name: string,
  load: (db: Db, keys: readonly bigint[]) => Promise<ReadonlyMap<bigint, Value>>,
): (db: Db, key: bigint) => Promise<Value | undefined> {
  const loaders = new WeakMap<Db, BatchLoader<Value>>();
  return (db, key) => {
    let loader = loaders.get(db);
    if (loader === undefined) {
      loader = new BatchLoader(name, (keys) => load(db, keys));
      loaders.set(db, loader);
    }
    return loader.get(key);
  };
}
