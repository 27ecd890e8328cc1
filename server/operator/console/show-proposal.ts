import type { Db } from '#server/db/connect.ts';
import { listOperatorNames } from './operator-names.ts';
import type { ProposalRow } from './proposal-columns-sql.ts';

/** Names of who proposed and who decided. */
export const listDeciderNames = (db: Db, rows: readonly ProposalRow[]): Promise<Map<bigint, string>> =>
  listOperatorNames(
    db,
    rows.flatMap((row) => [row.proposed_by, row.decided_by].filter((id) => id !== null)),
  );

/** What every proposal shows. */
export function showProposal(row: ProposalRow, names: ReadonlyMap<bigint, string>) {
  const person = (id: bigint) => ({ id: id.toString(), name: names.get(id) ?? '' });
  return {
    id: row.id.toString(),
    reference: row.reference,
    version: row.version,
    reason: row.reason,
    state: row.state,
    proposed_by: person(row.proposed_by),
    proposed_at: row.proposed_at.toISOString(),
    decided_by: row.decided_by === null ? null : person(row.decided_by),
    decided_at: row.decided_at?.toISOString() ?? null,
    note: row.note,
  };
}
