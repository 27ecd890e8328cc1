import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database, Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';

const UNGUARDED = 'set local session_replication_role = replica';

/** Runs statements as somebody with every privilege and the protections disabled, in one transaction. */
export const tamper = (database: Database, statements: string): Promise<void> =>
  database.runScript(`begin; ${UNGUARDED}; ${statements}; commit;`);

class Undo extends Error {}

/** What `look` finds after such statements, which are then rolled back. */
export async function afterTampering<T>(
  db: Db,
  statements: readonly string[],
  look: (tx: Tx) => Promise<T>,
): Promise<T> {
  const found: T[] = [];
  const run = inTransaction(db, async (tx) => {
    for (const one of [UNGUARDED, ...statements]) await sql.raw(one).execute(tx);
    found.push(await look(tx));
    throw new Undo();
  });
  await expect(run).rejects.toThrow(Undo);
  return found[0] as T;
}
