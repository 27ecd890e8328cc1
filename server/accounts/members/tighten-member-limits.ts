import type { BodyOf, DataOf } from '#contract/endpoint.ts';
import { toMicros } from '#contract/money.ts';
import type { memberControls } from '#contract/operator/members.ts';
import { actingAs, type Decider } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { showLimits } from '../limits/own-limits.ts';
import { tightenLimits } from '../limits/set-own-limits.ts';
import { lockReceiver } from './lock-member.ts';
import { getMember } from './members.ts';

type TightenMemberLimits = typeof memberControls.tightenMemberLimits;

/**
 * Tightens a member's limits at once or pauses them, for who asks for it or needs it (docs/product.md, section 8):
 * never looser, which stays the member's own decision. The member reads who, what and why.
 *
 * Refuses `not_found`, `account_closed`, `limits_loosened`, `pause_shortened`.
 */
export async function tightenMemberLimits(
  context: Context,
  decider: Decider,
  memberId: bigint,
  { why, deposit_week, loss_day, pause_days }: BodyOf<TightenMemberLimits>,
): Promise<DataOf<TightenMemberLimits>> {
  if ((await getMember(context.db, memberId)).isCompany) throw new Refused('not_found');
  return inTransaction(context.db, async (tx) => {
    if ((await lockReceiver(tx, memberId)).isClosed) throw new Refused('account_closed');
    const limits = await tightenLimits(tx, context, {
      memberId,
      change: {
        depositWeekMicros: deposit_week === undefined ? undefined : toMicros(deposit_week),
        lossDayMicros: loss_day === undefined ? undefined : toMicros(loss_day),
        pauseDays: pause_days,
      },
      why,
      ...actingAs(decider),
    });
    return showLimits(limits);
  });
}
