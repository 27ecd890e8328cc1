import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { forgetCallers } from '../../sign-in/find-caller.ts';
import { confirmOperator } from '../confirm-operator.ts';
import { findAccount, lockDecisions, type OperatorAccount } from './account-sql.ts';

/** An admin who decides about operators, with a fresh code of their authenticator app. */
export type Decider = { readonly operatorId: bigint; readonly otp: string; readonly address: string };

export type Decision<T> = {
  readonly result: T;
  /** Hashes of the tokens that ended with it, for the cache of callers. */
  readonly ended: readonly Buffer[];
};

/**
 * Runs a decision about operators: one after the other, so that of two admins who disable each other one is left, and two
 * approvals at once are one. Whoever decides is looked at again under the lock, for they may have been disabled since the
 * call was let in. Refusals: those of `confirmOperator`, `not_allowed`.
 */
export async function decide<T>(
  context: Context,
  decider: Decider,
  decision: (tx: Tx, by: OperatorAccount, now: Date) => Promise<Decision<T>>,
): Promise<T> {
  const { db } = context;
  const now = context.now();
  await confirmOperator(db, decider.operatorId, decider.otp, now);
  const { result, ended } = await inTransaction(db, async (tx) => {
    await lockDecisions(tx);
    const by = await findAccount(tx, decider.operatorId, now);
    if (by?.role !== 'admin' || by.disabledAt !== null || !by.hasSecondFactor) throw new Refused('not_allowed');
    return decision(tx, by, now);
  });
  forgetCallers(context, [...ended]);
  return result;
}
