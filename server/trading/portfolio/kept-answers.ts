import type { Db } from '#server/db/connect.ts';

/**
 * Answers that cannot change any more, kept in this process for each database, so that they are read once and not with
 * every look at a page. At most `most` of them; the one kept longest makes room.
 */
export class KeptAnswers<Key, Answer> {
  readonly #most: number;
  readonly #answers = new WeakMap<Db, Map<Key, Answer>>();

  constructor(most: number) {
    this.#most = most;
  }

  find(db: Db, key: Key): Answer | undefined {
    return this.#answers.get(db)?.get(key);
  }

  keep(db: Db, key: Key, answer: Answer): void {
    const answers = this.#answers.get(db) ?? new Map<Key, Answer>();
    this.#answers.set(db, answers);
    answers.delete(key);
    answers.set(key, answer);
    if (answers.size <= this.#most) return;
    const [oldest] = answers.keys();
    answers.delete(oldest as Key);
  }
}
