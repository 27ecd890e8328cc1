import type { DataOf } from '#contract/endpoint.ts';
import type { payoutDesk } from '#contract/payout-desk.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { confirmOperator, findOperator } from '#server/identity/index.ts';
import { findPayoutSwitch } from '../withdrawal-bar-sql.ts';
import { lockPayoutSwitch, updatePayoutSwitch } from './payout-switch-sql.ts';
import { actingAs, type Decider } from './withdrawal-decision.ts';

export async function getPayoutSwitch({ db }: Context): Promise<DataOf<typeof payoutDesk.getPayoutSwitch>> {
  const { stopped_at, stopped_by, why } = await findPayoutSwitch(db);
  if (stopped_at === null || stopped_by === null) return { stopped: false, at: null, operator: null, why: null };
  const operator = await findOperator(db, stopped_by);
  return { stopped: true, at: stopped_at.toISOString(), operator: operator?.name ?? null, why };
}

export type SwitchTurn = {
  readonly stopped: boolean;
  readonly why: string;
  /** The second factor; to let payouts go on, not to stop them: a stop must never wait for a phone. */
  readonly otp?: string;
};

/**
 * Stops all payouts at once, or lets them go on (product.md section 5). It waits for what is passing the gate at this
 * moment; once it is done nothing passes any more. Stopping what is stopped keeps who did it first, and since when.
 *
 * Refuses `second_factor_missing`, `wrong_second_factor`.
 */
export async function setPayoutSwitch(context: Context, decider: Decider, turn: SwitchTurn): Promise<void> {
  const { operatorId } = decider;
  if (turn.otp !== undefined) await confirmOperator(context.db, operatorId, turn.otp, context.now());
  await inTransaction(context.db, async (tx) => {
    const before = await lockPayoutSwitch(tx);
    const isStopped = before.stopped_at !== null;
    if (isStopped === turn.stopped) return;
    const now = context.now();
    await updatePayoutSwitch(tx, turn.stopped ? { at: now, by: operatorId, why: turn.why } : undefined);
    await writeAudit(tx, {
      ...actingAs(decider),
      action: turn.stopped ? 'payouts.stop' : 'payouts.go_on',
      subject: 'payouts',
      before: { stopped: isStopped, why: before.why },
      after: { stopped: turn.stopped, why: turn.why },
    });
  });
}
