import type { Db } from '#server/db/connect.ts';

const MAX_AGE_MS = 1000;
const AGING_MS = 500;
const MAX_ENTRIES = 2000;

type Entry<T> = { readonly value: T; readonly readAt: number; readonly endsAt: number };

/**
 * Caches the caller of a token for a second, so that a page with ten calls queries the database once. A sign-in that
 * ends in this process is evicted immediately; one that ends in another process is valid here for up to a second more.
 */
export class CallerCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  #endings = 0;

  /** Number of evictions so far; `store` needs the number from before the look-up. */
  get endings(): number {
    return this.#endings;
  }

  /** `isAging`: it should be refreshed. */
  find(tokenHash: Buffer, now: Date): { readonly value: T; readonly isAging: boolean } | undefined {
    const entry = this.#entries.get(tokenHash.toString('base64'));
    const age = entry === undefined ? Number.POSITIVE_INFINITY : now.getTime() - entry.readAt;
    return entry !== undefined && age >= 0 && age < MAX_AGE_MS && now.getTime() < entry.endsAt
      ? { value: entry.value, isAging: age >= AGING_MS }
      : undefined;
  }

  /** Stores a value, unless a sign-in ended during the look-up: it may have been this one. */
  store(tokenHash: Buffer, value: T, times: { now: Date; endsAt: Date; endingsBefore: number }): void {
    if (times.endingsBefore !== this.#endings) return;
    const key = tokenHash.toString('base64');
    // Deleted first, so that the Map is in order of reading and its first entry is the oldest.
    this.#entries.delete(key);
    const readAt = times.now.getTime();
    this.#evictOld(readAt);
    this.#entries.set(key, { value, readAt, endsAt: times.endsAt.getTime() });
  }

  evict(tokenHashes: readonly Buffer[]): void {
    this.#endings += 1;
    for (const tokenHash of tokenHashes) this.#entries.delete(tokenHash.toString('base64'));
  }

  /** Evicts expired entries, so that a burst of callers leaves none behind. */
  #evictOld(now: number): void {
    for (const [key, { readAt }] of this.#entries) {
      if (this.#entries.size < MAX_ENTRIES && now - readAt < MAX_AGE_MS) return;
      this.#entries.delete(key);
    }
  }
}

const caches = new WeakMap<Db, CallerCache<unknown>>();

/** The cache of one database connection: two installations in one process share nothing. */
export function callerCache<T>(db: Db): CallerCache<T> {
  const found = caches.get(db) ?? new CallerCache<unknown>();
  caches.set(db, found);
  return found as CallerCache<T>;
}
