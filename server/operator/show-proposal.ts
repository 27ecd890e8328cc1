import type { OperatorRole } from '#contract/endpoint.ts';
import { doesCount, listAuthorities, type OperatorAuthorities } from '#server/accounts/index.ts';
import type { Db } from '#server/db/connect.ts';
import type { ProposalRow } from './proposal-columns-sql.ts';

/** Who proposed and who decided, as they are now. */
export const listDeciders = (db: Db, rows: readonly ProposalRow[]): Promise<OperatorAuthorities> =>
  listAuthorities(
    db,
    rows.flatMap((row) => [row.proposed_by, row.decided_by].filter((id) => id !== null)),
  );

/** What every proposal shows. `roles` may propose and decide. */
export function showProposal(row: ProposalRow, deciders: OperatorAuthorities, roles: readonly OperatorRole[]) {
  const person = (id: bigint) => ({ id: id.toString(), name: deciders.get(id)?.name ?? '' });
  return {
    id: row.id.toString(),
    reference: row.reference,
    version: row.version,
    reason: row.reason,
    state: row.state,
    proposed_by: person(row.proposed_by),
    proposed_at: row.proposed_at.toISOString(),
    proposer_counts: row.state !== 'proposed' || doesCount(deciders.get(row.proposed_by), roles, row.proposed_at),
    decided_by: row.decided_by === null ? null : person(row.decided_by),
    decided_at: row.decided_at?.toISOString() ?? null,
    note: row.note,
  };
}
