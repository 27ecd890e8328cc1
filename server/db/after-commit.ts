import type { Db, Tx } from './connect.ts';

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

const waiting = new WeakMap<Tx, (() => void)[]>();

/**
 * Runs `then` once this transaction has committed, and not when it rolls back: for what this process keeps in memory of
 * what the transaction changed.
 */
export function afterCommit(tx: Tx, then: () => void): void {
  waiting.set(tx, [...(waiting.get(tx) ?? []), then]);
}

export function runAfterCommit(tx: Tx): void {
  for (const then of waiting.get(tx) ?? []) then();
}
