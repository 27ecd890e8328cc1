import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';

/** Does `work` in a transaction that stays open, with its locks, until the returned function is called. */
export async function holdOpen(db: Db, work: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const [isDone, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = inTransaction(db, async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
  });
  await Promise.race([isDone.promise, ended]);
  return () => {
    mayEnd.resolve();
    return ended;
  };
}
