import type { Db } from './connect.ts';

const heard = new WeakMap<Db, () => void>();

/**
 * Has `hear` called whenever a transaction of this process has committed: a hint that there may be something to tell,
 * which may be lost with the process. What must not be lost is written in the transaction itself.
 *
 * @returns ends it
 */
export function onCommit(db: Db, hear: () => void): () => void {
  heard.set(db, hear);
  return () => heard.delete(db);
}

export const tellCommit = (db: Db): void => heard.get(db)?.();
