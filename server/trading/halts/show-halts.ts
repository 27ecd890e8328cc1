import type { Halt } from '#contract/trading/halt.ts';
import { findOperator } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import type { HaltRow } from './halt-sql.ts';

/** Halts with the names of who began and who lifted them, in the order they are given. */
export async function showHalts(db: Db, rows: readonly HaltRow[]): Promise<Halt[]> {
  const ids = new Set(rows.flatMap(({ haltedBy, liftedBy }) => [haltedBy, liftedBy].filter((id) => id !== null)));
  const operators = await Promise.all([...ids].map((id) => findOperator(db, id)));
  const person = (id: bigint) => ({
    id: id.toString(),
    name: operators.find((operator) => operator?.id === id)?.name ?? '',
  });
  return rows.map((row) => ({
    version: Number(row.id),
    reason: row.reason,
    by: person(row.haltedBy),
    at: row.haltedAt.toISOString(),
    market_time: row.startsAt.toISOString(),
    lifted: showLifted(row, person),
  }));
}

function showLifted({ endsAt, liftedAt, liftedBy, note }: HaltRow, person: (id: bigint) => Halt['by']): Halt['lifted'] {
  if (endsAt === null || liftedAt === null || liftedBy === null || note === null) return null;
  return { by: person(liftedBy), at: liftedAt.toISOString(), market_time: endsAt.toISOString(), note };
}
