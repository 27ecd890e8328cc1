import { currentSpan, type Span, withSpan } from '#server/telemetry/spans.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';
import { AcquireTimeout, type Work, withPoolShare } from './semaphore.ts';

const MAX_ITEMS = 64;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly span: Span | undefined;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: unknown) => void;
};

type Options = {
  /** The kind of request, which shares one part of the connection pool. */
  readonly name: string;
  /** Maximum of concurrent groups. */
  readonly groups: number;
};

/**
 * Combines concurrent requests of one kind into one statement and one commit. There is no waiting to fill a group:
 * without a running group, a request is grouped with those of the same event loop turn. Requests that arrive meanwhile
 * form the next group, which starts early once it is as large as the running ones, so that the database works on one
 * group while the other's clients read their replies. A caller has at most one request in all running groups, so no
 * group depends on another and no caller fills one alone.
 */
export class GroupCommit<Item extends { readonly callerId: bigint }, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  readonly #work: Work;
  readonly #maxGroups: number;
  #waiting: Waiting<Item, Result>[] = [];
  #groups = 0;
  readonly #callers = new Set<bigint>();
  readonly #beginThisTurn = onceATurn(() => this.#begin());

  /**
   * @param commit executes all or none, without waiting for locks: undefined for an item that must be executed alone
   */
  constructor({ name, groups }: Options, commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>) {
    this.#work = { caller: name, writes: true };
    this.#maxGroups = groups;
    this.#commit = commit;
  }

  /**
   * @returns the result; undefined if the item must be executed alone, because a row that it needs is locked or its
   * group was rolled back
   * @throws the database error during an outage; AcquireTimeout for items queued behind the failed group
   */
  add(item: Item): Promise<Result | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, span: currentSpan(), resolve, reject });
      this.#beginThisTurn();
    });
  }

  #begin(): void {
    while (this.#isDue()) {
      const group = this.#take();
      if (group.length === 0) return;
      void this.#settle(group);
    }
  }

  #isDue(): boolean {
    if (this.#groups === 0) return true;
    return this.#groups < this.#maxGroups && this.#waiting.length >= this.#callers.size;
  }

  /** Marks its callers as running. */
  #take(): readonly Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const { callerId } = waiting.item;
      if (group.length === MAX_ITEMS || this.#callers.has(callerId)) return true;
      this.#callers.add(callerId);
      group.push(waiting);
      return false;
    });
    return group;
  }

  async #settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#groups += 1;
    const settle = await this.#attempt(group);
    this.#groups -= 1;
    for (const { item } of group) this.#callers.delete(item.callerId);
    settle();
    this.#begin();
  }

  /** @returns a function that settles each item of the group */
  async #attempt(group: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const commit = () => withPoolShare(this.#work, () => this.#commit(group.map(({ item }) => item)));
      // Traced as part of the first request.
      const results = await withSpan(group[0]?.span, commit);
      return () => {
        for (const [index, { resolve }] of group.entries()) resolve(results[index]);
      };
    } catch (error) {
      if (isDatabaseGone(error) || isPastLimit(error)) return () => this.#fail(group, error);
      return () => {
        for (const { resolve } of group) resolve(undefined);
      };
    }
  }

  #fail(group: readonly Waiting<Item, Result>[], error: unknown): void {
    for (const { reject } of group) reject(error);
    // Queued items were not sent, and behind this group they have waited for the full limit.
    for (const { reject } of this.#waiting) reject(new AcquireTimeout());
    this.#waiting = [];
  }
}

/**
 * Debounces work to once per event loop turn, after all input of the turn was read.
 *
 * @returns a function that requests the work
 */
export function onceATurn(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      work();
    });
  };
}
