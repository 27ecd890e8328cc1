import type { RefusalCode } from '#contract/refusals.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { Gateway } from '../gateways/gateway.ts';
import { refuseUnlessApproved } from '../withdrawals/withdrawal-gate.ts';
import { lockWithdrawal, updatePayout, type WithdrawalRow } from '../withdrawals/withdrawal-sql.ts';
import { lockPayable, updatePayoutCheckedAt } from './payout-sql.ts';

/**
 * Commits that from here on a payout of this withdrawal may exist at the gateway. Undefined when it is no longer there
 * to be paid, another worker has it, or the gate is shut: then it waits.
 */
export async function claimPayout(context: Context, gateway: Gateway, id: bigint): Promise<WithdrawalRow | undefined> {
  try {
    return await inTransaction(context.db, async (tx) => {
      const before = await lockPayable(tx, id);
      if (before === undefined) return undefined;
      await refuseUnlessApproved(tx, context, before);
      const now = context.now();
      const set = { payoutWay: 'gateway', gateway: gateway.name, payoutStartedAt: now } as const;
      const after = await updatePayout(tx, before, set, now);
      await audit(tx, 'withdrawal.payout_start', before, after);
      return after;
    });
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/**
 * Takes the claim back, because it is certain that nothing was ordered: the withdrawal is approved as before, to be paid
 * later or by hand.
 */
export function releaseClaim(context: Context, claimed: WithdrawalRow, why: RefusalCode): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const before = await lockUnchanged(tx, claimed);
    if (before === undefined) return;
    const now = context.now();
    const after = await updatePayout(tx, before, { payoutWay: null, gateway: null, payoutStartedAt: null }, now);
    await updatePayoutCheckedAt(tx, before.id, now);
    await audit(tx, 'withdrawal.payout_undo', before, after, { why });
  });
}

async function audit(
  tx: Tx,
  action: string,
  before: WithdrawalRow,
  after: WithdrawalRow,
  more?: object,
): Promise<void> {
  await writeAudit(tx, {
    actor: { kind: 'system', id: null },
    action,
    subject: `withdrawal:${before.id}`,
    before: claimOf(before),
    after: { ...claimOf(after), ...more },
  });
}

const claimOf = (row: WithdrawalRow) => ({
  state: row.state,
  version: row.version,
  payout_way: row.payout_way,
  payout_started_at: row.payout_started_at,
});

/** Longer than all calls of one payout together may take: after that nobody is working on it any more. */
const LOST_AFTER_MS = 60_000;

/** Claims from before this instant are lost. */
export const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST_AFTER_MS);

export const isClaimLost = ({ payout_started_at }: WithdrawalRow, now: Date): boolean =>
  payout_started_at !== null && payout_started_at <= lostBefore(now);

/** Locks a withdrawal when it is still as it was read before the gateway was asked; undefined when something changed it. */
export async function lockUnchanged(tx: Tx, seen: WithdrawalRow): Promise<WithdrawalRow | undefined> {
  const withdrawal = await lockWithdrawal(tx, seen.id);
  return withdrawal?.version === seen.version ? withdrawal : undefined;
}
