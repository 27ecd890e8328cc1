import assert from 'node:assert/strict';
import type { Context } from '#server/context.ts';
import { findCaller, openMember, signOut } from '#server/identity/index.ts';
import { proposeAdjustment, takeDailySnapshot } from '#server/operator/index.ts';
import { type DemoOperator, demoDesk } from './make-operators.ts';

/**
 * What operators have done beside withdrawals: one looked into the member's account and left it, which the profile shows;
 * a correction waits for a colleague; and what members are owed is sealed, so that there is something to check.
 */
export async function workTheDesk(context: Context, operator: DemoOperator, memberId: bigint): Promise<void> {
  const reason = 'To see the rejected withdrawal that the ticket is about';
  const { accessToken } = await openMember(context, operator.caller, { memberId, reason, ...demoDesk });
  const looking = await findCaller(context, accessToken);
  assert(looking?.kind === 'member');
  await signOut(context, looking, demoDesk.address);
  await proposeAdjustment(
    context,
    { operatorId: operator.operatorId, address: demoDesk.address },
    {
      member_id: memberId.toString(),
      wallet_type: 'primary',
      amount: 1.5,
      reason: 'Network fee of a deposit that was sent twice by our own fault',
      evidence: 'Transaction hashes of both in the query about it',
    },
  );
  await takeDailySnapshot(context);
}
