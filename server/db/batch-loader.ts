import { currentSpan, type Span, withSpan } from '#server/telemetry/spans.ts';
import type { Db } from './connect.ts';
import { onceATurn } from './group-commit.ts';
import { type Work, withPoolShare } from './semaphore.ts';

type Waiting<Value> = {
  readonly key: bigint;
  readonly span: Span | undefined;
  readonly resolve: (value: Value | undefined) => void;
  readonly reject: (error: unknown) => void;
};

/** Reads the values of all keys, without missing ones. */
export type Load<Value> = (keys: readonly bigint[]) => Promise<ReadonlyMap<bigint, Value>>;

/**
 * Combines the same read for different members into one statement. There is no waiting to fill a batch: without a
 * statement in flight, a call is batched with those of the same event loop turn. Calls that arrive meanwhile form the
 * next batch; they never join a statement that was already sent, so a result is never older than its call.
 */
export class BatchLoader<Value> {
  readonly #load: Load<Value>;
  readonly #work: Work;
  readonly #stallMs: number;
  #waiting: Waiting<Value>[] = [];
  readonly #beginThisTurn = onceATurn(() => this.#begin());
  #isBusy = false;

  /**
   * @param name of the kind of read, which shares one part of the connection pool
   * @param stallMs after this time without a result, a statement no longer delays the next batch
   */
  constructor(name: string, load: Load<Value>, stallMs = 50) {
    this.#work = { caller: name, writes: false };
    this.#load = load;
    this.#stallMs = stallMs;
  }

  /**
   * @returns undefined for a key without a value
   * @throws the database error of the whole batch: no single key can cause it
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
      // Traced as part of the first request.
      const values = await withSpan(batch[0]?.span, load);
      for (const { key, resolve } of batch) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      proceed();
    }
  }
}

/** One loader per database, created at first use. */
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
