import type { OperatorRole } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import type { Decided, ProposalRow } from './proposal-columns-sql.ts';
import { actingAs, byAnother, byOneself, type Decider, decideProposal, type Verdict } from './proposal-decision.ts';

/** How the proposals of one kind are found and written, and what the audit log calls them. */
export type ProposalKind<Row extends ProposalRow> = {
  readonly find: (db: Db, id: bigint) => Promise<Row | undefined>;
  readonly lock: (tx: Tx, id: bigint) => Promise<Row | undefined>;
  /** Who may propose and decide them. */
  readonly roles: readonly OperatorRole[];
  readonly update: (tx: Tx, decided: Decided) => Promise<Row>;
  /** `adjustment` of `adjustment.reject` */
  readonly action: string;
  /** `adjustment` of `adjustment:17` */
  readonly subject: string;
};

/** Rejects what another operator proposed, and says why. Refuses what every decision does. */
export const rejectProposal = <Row extends ProposalRow>(
  kind: ProposalKind<Row>,
  context: Context,
  decider: Decider,
  verdict: Verdict & { readonly reason: string },
): Promise<Row> => endProposal(kind, context, decider, verdict, { state: 'rejected', note: verdict.reason });

/** Takes back what one proposed oneself. Refuses what every decision does. */
export const withdrawProposal = <Row extends ProposalRow>(
  kind: ProposalKind<Row>,
  context: Context,
  decider: Decider,
  verdict: Verdict,
): Promise<Row> => endProposal(kind, context, decider, verdict, { state: 'withdrawn' });

const ends = {
  rejected: { who: byAnother, verb: 'reject' },
  withdrawn: { who: byOneself, verb: 'withdraw' },
} as const;

function endProposal<Row extends ProposalRow>(
  { find, lock, roles, update, action, subject }: ProposalKind<Row>,
  context: Context,
  decider: Decider,
  { id, version }: Verdict,
  { state, note }: { readonly state: keyof typeof ends; readonly note?: string },
): Promise<Row> {
  const { who, verb } = ends[state];
  const verdict = { id, version };
  return decideProposal(context, decider, verdict, {
    find,
    lock,
    who,
    roles,
    carryOut: async (tx, row) => {
      const after = await update(tx, { id, state, by: decider.operatorId, now: context.now(), note });
      await writeAudit(tx, {
        ...actingAs(decider),
        action: `${action}.${verb}`,
        subject: `${subject}:${id}`,
        before: { state: row.state },
        after: { state, note },
      });
      return after;
    },
  });
}
