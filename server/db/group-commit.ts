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

/**
 * Puts requests of one kind that arrive together into one statement and one commit. Nobody waits for company: a request
 * that finds no group under way goes at once, alone; those that come meanwhile are the next group. A caller has one request
 * a group, so that none of a group depends on another and nobody fills it alone.
 */
export class GroupCommit<Item extends { readonly callerId: bigint }, Result> {
  readonly #commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>;
  readonly #work: Work;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /**
   * @param name of the kind, under which its groups share the connections
   * @param commit does all of them or nothing, and waits for nobody's locks: undefined for an item that has to be done alone
   */
  constructor(name: string, commit: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>) {
    this.#work = { caller: name, writes: true };
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
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) await this.#settle(this.#take());
    this.#isRunning = false;
  }

  #take(): readonly Waiting<Item, Result>[] {
    const group = new Map<bigint, Waiting<Item, Result>>();
    this.#waiting = this.#waiting.filter((waiting) => {
      const { callerId } = waiting.item;
      if (group.size === MOST || group.has(callerId)) return true;
      group.set(callerId, waiting);
      return false;
    });
    return [...group.values()];
  }

  async #settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const commit = () => withPoolShare(this.#work, () => this.#commit(group.map(({ item }) => item)));
      // A trace shows it as a part of the request that came first.
      const results = await withSpan(group[0]?.span, commit);
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      if (!isDatabaseGone(error) && !isPastLimit(error)) {
        for (const { resolve } of group) resolve(undefined);
        return;
      }
      for (const { reject } of group) reject(error);
      // Nothing of theirs was sent, and behind this group they have waited as long as anybody waits.
      for (const { reject } of this.#waiting) reject(new AcquireTimeout());
      this.#waiting = [];
    }
  }
}
