import { findOperator } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';

/** Names by id. Few people operate, so each is asked for once. */
export async function listOperatorNames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  const operators = await Promise.all([...new Set(ids)].map((id) => findOperator(db, id)));
  return new Map(operators.flatMap((operator) => (operator === undefined ? [] : [[operator.id, operator.name]])));
}
