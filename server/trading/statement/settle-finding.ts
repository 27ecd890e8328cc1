import assert from 'node:assert';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Proposal as ShownProposal } from '#contract/operator/proposals.ts';
import { consoleStatement, type Settlement, type StatementSettlement } from '#contract/operator/statement.ts';
import { operators } from '#server/accounts/index.ts';
import { type ListedKind, type OperatorActor, plainKind, propose, showProposal } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import { bookLine, isBookable } from './book-line.ts';
import { type Finding, listFindingsOf, lockFinding, updateSettled } from './finding-sql.ts';
import { listPending, showFindings } from './show-statement.ts';
import { lockStatement } from './statement-sql.ts';

type Payload = { readonly findingId: string; readonly how: Settlement };
type Shown = Omit<StatementSettlement, keyof ShownProposal>;

/**
 * Settles an unmatched entry of the exchange's statement (docs/exchanges.md, "Statement"): `booked`, so that the ledger
 * agrees with the exchange, or `explained`, without a booking.
 *
 * Approving refuses `statement_settled`, `statement_not_bookable` and `batch_under_way`, like proposing.
 */
export const statementKind: ListedKind<Payload, Shown> = {
  ...plainKind('statement_line'),
  subject: 'statement_line',
  roles: consoleStatement.approveSettlement.access,
  operators,
  // A concurrent import may match it.
  lock: async (tx) => {
    await lockStatement(tx);
  },
  logged: ({ payload }) => payload,
  execute: async (tx, context, { id, reference, payload, reason }) => {
    const finding = await lockOpen(tx, payload);
    assert(reference !== null);
    const postedId = payload.how === 'booked' ? await bookLine(tx, finding, { reference, note: reason }) : null;
    const { how } = payload;
    await updateSettled(tx, finding.id, { how, at: context.now(), proposalId: id, reference, postedId });
    return { resultId: finding.id, logged: { transferId: postedId ?? undefined } };
  },
  show: async (db, proposals) => {
    const found = await listFindingsOf(
      db,
      proposals.map(({ payload }) => BigInt(payload.findingId)),
    );
    const shown = new Map((await showFindings(db, found)).map((finding) => [finding.id, finding]));
    const posted = new Map(found.map(({ id, postedId }) => [id.toString(), postedId]));
    return proposals.map(({ payload: { findingId, how }, state }) => {
      const finding = shown.get(findingId);
      assert(finding);
      const transferId = state === 'posted' ? posted.get(findingId) : null;
      return { how, finding, transfer_id: transferId?.toString() ?? null };
    });
  },
};

/** Refuses a finding that does not exist, is no longer open, or cannot be settled in this way. */
async function lockOpen(tx: Tx, { findingId, how }: Payload): Promise<Finding> {
  const finding = orRefuse(await lockFinding(tx, BigInt(findingId)), 'not_found');
  if (finding.state !== 'open') throw new Refused('statement_settled');
  if (how === 'booked' && !isBookable(finding)) throw new Refused('statement_not_bookable');
  return finding;
}

/** Proposes a settlement; another operator approves. Also refuses `statement_proposed` while another one is pending. */
export function proposeSettlement(
  context: Context,
  actor: OperatorActor,
  { finding_id: findingId, how, reason }: BodyOf<typeof consoleStatement.proposeSettlement>,
  once?: Once,
): Promise<StatementSettlement> {
  return runOnce(context.db, once, async (tx) => {
    await lockStatement(tx);
    const payload = { findingId, how };
    await lockOpen(tx, payload);
    if ((await listPending(tx)).has(findingId)) throw new Refused('statement_proposed');
    return showProposal(tx, statementKind, await propose(tx, context, statementKind, actor, { payload, reason }));
  });
}
