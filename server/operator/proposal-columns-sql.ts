import { sql } from 'kysely';
import type { ProposalState } from '#contract/operator/proposals.ts';

/** What every proposal has, whatever it is about. */
export type ProposalRow = {
  readonly id: bigint;
  readonly reference: string;
  readonly reason: string;
  readonly state: ProposalState;
  readonly version: number;
  readonly proposed_by: bigint;
  readonly proposed_at: Date;
  readonly decided_by: bigint | null;
  readonly decided_at: Date | null;
  readonly note: string | null;
};

export const proposalColumns = sql`
  id, reference, reason, state, version, proposed_by, proposed_at, decided_by, decided_at, note`;

/** What every decision writes; `note` of a rejection. */
export type Decided = {
  readonly id: bigint;
  readonly state: Exclude<ProposalState, 'proposed'>;
  readonly by: bigint;
  readonly now: Date;
  readonly note?: string | undefined;
};

export const decisionOf = (decided: Decided) => sql`
  state = ${decided.state}, version = version + 1, decided_by = ${decided.by}, decided_at = ${decided.now},
  note = ${decided.note ?? null}`;
