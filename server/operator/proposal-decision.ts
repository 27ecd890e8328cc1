import type { OperatorRole } from '#contract/endpoint.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import { confirmOperator, doesCount, lockAuthorities, lockDecider } from '#server/accounts/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { ProposalRow } from './proposal-columns-sql.ts';

/** The operator who proposes or decides, and from which network address. */
export type Decider = { readonly operatorId: bigint; readonly address: string };

export const actingAs = ({ operatorId, address }: Decider) =>
  ({ actor: { kind: 'operator', id: operatorId }, address }) as const;

/** Which proposal is decided about, as the operator saw it; `otp` for what moves money. */
export type Verdict = { readonly id: bigint; readonly version: number; readonly otp?: string };

/** Who may decide: another than who proposed it, or only they. */
export const byAnother = (row: ProposalRow, operatorId: bigint): RefusalCode | undefined =>
  row.proposed_by === operatorId ? 'own_proposal' : undefined;
export const byOneself = (row: ProposalRow, operatorId: bigint): RefusalCode | undefined =>
  row.proposed_by === operatorId ? undefined : 'not_allowed';

/**
 * The frame of every decision about a proposal: it is looked at, the second factor is taken, and in one transaction it is
 * locked, looked at again and decided about. It must be as the operator saw it both times: the first look only keeps a
 * code, which is taken once, from being lost to a page that is out of date.
 *
 * Refuses `not_found`, `proposal_changed`, `proposal_decided`, `own_proposal` or `not_allowed`, `second_factor_missing`,
 * `wrong_second_factor`, `not_allowed` to who was disabled meanwhile, `proposer_not_entitled`, and what the decision
 * refuses.
 */
export async function decideProposal<Row extends ProposalRow>(
  context: Context,
  decider: Decider,
  verdict: Verdict,
  decision: {
    readonly find: (db: Db, id: bigint) => Promise<Row | undefined>;
    readonly lock: (tx: Tx, id: bigint) => Promise<Row | undefined>;
    readonly who: (row: ProposalRow, operatorId: bigint) => RefusalCode | undefined;
    /** Who may propose and decide. */
    readonly roles: readonly OperatorRole[];
    /** What is carried out rests on who proposed it, too: their word must count at this moment. */
    readonly restsOnProposer?: true;
    readonly carryOut: (tx: Tx, row: Row) => Promise<Row>;
  },
): Promise<Row> {
  const { db } = context;
  const check = (row: Row | undefined): Row => {
    if (row === undefined) throw new Refused('not_found');
    if (row.state !== 'proposed') throw new Refused('proposal_decided');
    if (row.version !== verdict.version) throw new Refused('proposal_changed');
    const code = decision.who(row, decider.operatorId);
    if (code !== undefined) throw new Refused(code);
    return row;
  };
  check(await decision.find(db, verdict.id));
  if (verdict.otp !== undefined) await confirmOperator(db, decider.operatorId, verdict.otp, context.now());
  return inTransaction(db, async (tx) => {
    const row = check(await decision.lock(tx, verdict.id));
    await lockDecider(tx, decider.operatorId, decision.roles);
    if (decision.restsOnProposer) await refuseUnlessProposerCounts(tx, row, decision.roles);
    return decision.carryOut(tx, row);
  });
}

async function refuseUnlessProposerCounts(tx: Tx, row: ProposalRow, roles: readonly OperatorRole[]): Promise<void> {
  const proposer = (await lockAuthorities(tx, [row.proposed_by])).get(row.proposed_by);
  if (!doesCount(proposer, roles, row.proposed_at)) throw new Refused('proposer_not_entitled');
}
