import type { BodyOf } from '#contract/endpoint.ts';
import { toMicros } from '#contract/money.ts';
import type { consoleTreasury, TreasuryMove } from '#contract/operator/proposals.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { insertUnderNewReference } from '#server/make-reference.ts';
import { actingAs, type Decider } from '../proposal-decision.ts';
import { showTreasuryMove } from './show-treasury-moves.ts';
import { insertTreasuryMove } from './treasury-move-sql.ts';

/**
 * Records a move of the house's money (docs/product.md, section 2, "Treasury and corrections"). It is booked when
 * another operator approves it.
 */
export async function proposeTreasuryMove(
  context: Context,
  decider: Decider,
  input: BodyOf<typeof consoleTreasury.proposeTreasuryMove>,
  once?: Once,
): Promise<TreasuryMove> {
  return runOnce(context.db, once, async (tx) => {
    const { kind, reason, transaction } = input;
    const amountMicros = toMicros(input.amount);
    const source = input.kind === 'revenue_out' ? input.source : null;
    const row = await insertUnderNewReference('treasury', (reference) =>
      insertTreasuryMove(tx, {
        reference,
        kind,
        source,
        amountMicros,
        reason,
        transaction,
        by: decider.operatorId,
        now: context.now(),
      }),
    );
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'treasury.propose',
      subject: `treasury_move:${row.id}`,
      after: { reference: row.reference, kind, source, amountMicros, reason, transaction },
    });
    return showTreasuryMove(tx, row);
  });
}
