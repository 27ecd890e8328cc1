import type { Db } from '#server/db/connect.ts';

/** Results that no longer change, cached in this process per database; the least recently used is evicted. */
export class LruCache<Key, Value> {
  readonly #maxEntries: number;
  readonly #values = new WeakMap<Db, Map<Key, Value>>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(db: Db, key: Key): Value | undefined {
    const value = this.#values.get(db)?.get(key);
    if (value !== undefined) this.set(db, key, value);
    return value;
  }

  set(db: Db, key: Key, value: Value): void {
    const values = this.#values.get(db) ?? new Map<Key, Value>();
    this.#values.set(db, values);
    values.delete(key);
    values.set(key, value);
    if (values.size > this.#maxEntries) values.delete(values.keys().next().value as Key);
  }
}
