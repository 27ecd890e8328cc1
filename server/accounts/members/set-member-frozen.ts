import { actingAs, type Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { confirmOperator } from '../operators/confirm-operator.ts';
import { freezeMember, unfreezeMember } from './freeze-member.ts';
import { getMember } from './members.ts';

export type FrozenTurn = {
  readonly memberId: bigint;
  readonly frozen: boolean;
  /** For the audit log, not for the member. */
  readonly why: string;
  /** The second factor; to let a member go on, not to stop them: a stop must never wait for a phone. */
  readonly otp?: string;
};

/**
 * Freezes a member, or lets them go on (docs/product.md, section 8): frozen they sign in and read, and open trades
 * settle. Said twice it changes and tells nothing.
 *
 * Refuses `not_found`, `second_factor_missing`, `wrong_second_factor`.
 */
export async function setMemberFrozen(context: Context, decider: Decider, turn: FrozenTurn): Promise<void> {
  const { memberId, frozen, why, otp } = turn;
  if ((await getMember(context.db, memberId)).isCompany) throw new Refused('not_found');
  const now = context.now();
  if (otp !== undefined) await confirmOperator(context.db, decider.operatorId, otp, now);
  await inTransaction(context.db, (tx) =>
    frozen
      ? freezeMember(tx, { memberId, why, now, ...actingAs(decider) })
      : unfreezeMember(tx, { memberId, why, ...actingAs(decider) }),
  );
}
