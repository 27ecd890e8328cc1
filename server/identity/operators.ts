import type { Db } from '#server/db/connect.ts';
import { findOperatorRow, type Operator } from './operator-sql.ts';

export type { Operator } from './operator-sql.ts';

/** One operator, or undefined when nobody has this id. */
export const findOperator = (db: Db, id: bigint): Promise<Operator | undefined> => findOperatorRow(db, id);
