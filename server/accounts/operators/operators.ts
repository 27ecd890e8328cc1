import type { Db } from '#server/db/connect.ts';
import { findOperatorRow, listOperatorNameRows, type Operator } from './operator-sql.ts';

export type { Operator } from './operator-sql.ts';

/** One operator, or undefined when nobody has this id. */
export const findOperator = (db: Db, id: bigint): Promise<Operator | undefined> => findOperatorRow(db, id);

/** Names by id, as they are today; ids nobody has are not in the answer. */
export async function listOperatorNames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  return new Map((await listOperatorNameRows(db, [...new Set(ids)])).map(({ id, name }) => [id, name]));
}
