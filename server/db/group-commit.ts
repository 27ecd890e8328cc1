import { currentSpan, type Span, withSpan } from '#server/spans.ts';
import { isDatabaseGone, isPastLimit } from './faults.ts';
import { AcquireTimeout, type Work, withPoolShare } from './semaphore.ts';

const MOST = 64;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly span: Span | undefined;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (error: unknown) => void;
};

type Options = {
  /** Of the kind of request, under which its groups share the connections. */
  readonly name: string;
  /** Groups that run at once at most. */
  readonly groups: number;
};

/**
 * Puts requests of one kind that arrive together into one statement and one commit. Nobody waits for company: a request
 * that finds no group running goes with those that were read in the same turn of the event loop. Those that come meanwhile
 * are the next group, which starts before the last one has ended once it is as large: the database then works on one
 * while the other's requests are answered and their callers ask again. A caller has one request in all groups that run, so
 * that none depends on another and nobody fills a group alone.
 */
export class GroupCommit<Item extends { readonly callerId: bigint }, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  readonly #work: Work;
  readonly #mostGroups: number;
  #waiting: Waiting<Item, Result>[] = [];
  #groups = 0;
  readonly #callers = new Set<bigint>();
  readonly #beginThisTurn = onceATurn(() => this.#begin());

  /** @param commit does all of them or nothing, and waits for nobody's locks: undefined for an item that has to be done alone */
  constructor({ name, groups }: Options, commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>) {
    this.#work = { caller: name, writes: true };
    this.#mostGroups = groups;
    this.#commit = commit;
  }

  /**
   * @returns what became of the item; undefined when nothing did and it has to be done alone: a row that it needs is
   * locked, or its group was undone for one of them
   * @throws what the database says when it does not answer; AcquireTimeout to those who waited behind that group
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
    return this.#groups < this.#mostGroups && this.#waiting.length >= this.#callers.size;
  }

  /** Its callers count as running from now on. */
  #take(): readonly Waiting<Item, Result>[] {
    const group: Waiting<Item, Result>[] = [];
    this.#waiting = this.#waiting.filter((waiting) => {
      const { callerId } = waiting.item;
      if (group.length === MOST || this.#callers.has(callerId)) return true;
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

  /** @returns tells each of the group what became of it */
  async #attempt(group: readonly Waiting<Item, Result>[]): Promise<() => void> {
    try {
      const commit = () => withPoolShare(this.#work, () => this.#commit(group.map(({ item }) => item)));
      // A trace shows it as a part of the request that came first.
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
    // Nothing of theirs was sent, and behind this group they have waited as long as anybody waits.
    for (const { reject } of this.#waiting) reject(new AcquireTimeout());
    this.#waiting = [];
  }
}

/**
 * Does some work once a turn of the event loop, after all that was read in the turn, however often it is asked to.
 *
 * @returns what asks for it
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
