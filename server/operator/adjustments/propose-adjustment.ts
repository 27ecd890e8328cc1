import type { BodyOf } from '#contract/endpoint.ts';
import { toMicros } from '#contract/money.ts';
import type { Adjustment, consoleAdjustments } from '#contract/operator/proposals.ts';
import { getMember } from '#server/accounts/index.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { type Once, runOnce } from '#server/db/tx.ts';
import { insertUnderNewReference } from '#server/make-reference.ts';
import { Refused } from '#server/refused.ts';
import { actingAs, type Decider } from '../proposal-decision.ts';
import { insertAdjustment } from './adjustment-sql.ts';
import { showAdjustment } from './show-adjustments.ts';

/**
 * Proposes a correction of a wallet (docs/product.md, sections 2 and 10). Nothing moves: another operator has to
 * approve it.
 *
 * Refuses `not_found`, `account_closed`.
 */
export async function proposeAdjustment(
  context: Context,
  decider: Decider,
  input: BodyOf<typeof consoleAdjustments.proposeAdjustment>,
  once?: Once,
): Promise<Adjustment> {
  return runOnce(context.db, once, async (tx) => {
    const member = await getMember(tx, BigInt(input.member_id));
    if (member.isCompany) throw new Refused('not_found');
    if (member.closedAt !== null) throw new Refused('account_closed');
    const { wallet_type: wallet, reason, evidence } = input;
    const signedMicros = toMicros(input.amount);
    const row = await insertUnderNewReference('adjustment', (reference) =>
      insertAdjustment(tx, {
        reference,
        memberId: member.id,
        wallet,
        signedMicros,
        reason,
        evidence,
        by: decider.operatorId,
        now: context.now(),
      }),
    );
    await writeAudit(tx, {
      ...actingAs(decider),
      action: 'adjustment.propose',
      subject: `adjustment:${row.id}`,
      after: { reference: row.reference, memberId: member.id, wallet, signedMicros, reason, evidence },
    });
    return showAdjustment(tx, row);
  });
}
