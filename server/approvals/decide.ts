import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { OperatorAuthorities } from './core/approvals.ts';

/**
 * What approvals need from operator accounts. That domain builds on this one, so it passes itself to every decision.
 */
export type Operators = {
  /**
   * Verifies and consumes a code of their authenticator app, before the transaction of the decision: a rollback must
   * not make the code available again, or codes could be guessed.
   */
  readonly confirm: (context: Context, operatorId: bigint, otp: OperatorCode) => Promise<void>;
  /** What these operators may do now, for display. */
  readonly list: (db: Db, ids: readonly bigint[]) => Promise<OperatorAuthorities>;
  /**
   * The same, locked until the transaction ends: disabling one of them or changing a role waits for this transaction,
   * or has committed before and is seen here.
   */
  readonly lock: (tx: Tx, ids: readonly bigint[]) => Promise<OperatorAuthorities>;
};

/** The operator who proposes or decides, and from which network address. */
export type OperatorActor = { readonly operatorId: bigint; readonly address: string };

/** The operator as an actor of the audit log. */
export const actingAs = ({ operatorId, address }: OperatorActor) =>
  ({ actor: { kind: 'operator', id: operatorId }, address }) as const;

export type Decision<Locked, Result> = {
  readonly operators: Operators;
  /** Who may decide. */
  readonly roles: readonly OperatorRole[];
  /** The second factor, for decisions that require one. */
  readonly otp?: OperatorCode | undefined;
  /** Refuses what cannot be decided, without a lock. Absent where there is nothing to check in advance. */
  readonly precheck?: (db: Db) => Promise<unknown>;
  /** Locks the subject, before any other lock, and repeats the check. */
  readonly lock: (tx: Tx) => Promise<Locked>;
  readonly execute: (tx: Tx, locked: Locked) => Promise<Result>;
};

/**
 * The frame of every operator decision that needs two people or moves money: precheck, verify the second factor, then
 * lock, check again and decide in one transaction. The precheck only saves a one-time code from being consumed by a
 * page that is out of date.
 *
 * Refuses what `precheck` and `lock` refuse, `second_factor_missing`, `wrong_second_factor`, `not_allowed` to an
 * operator who was disabled or lost the role since the call was admitted, and what the decision refuses.
 */
export async function decide<Locked, Result>(
  context: Context,
  { operatorId }: OperatorActor,
  { operators, roles, otp, precheck, lock, execute }: Decision<Locked, Result>,
): Promise<Result> {
  const { db } = context;
  await precheck?.(db);
  if (otp !== undefined) await operators.confirm(context, operatorId, otp);
  return inTransaction(db, async (tx) => {
    const locked = await lock(tx);
    const actor = (await operators.lock(tx, [operatorId])).get(operatorId);
    if (actor?.isActive !== true || !roles.includes(actor.role)) throw new Refused('not_allowed');
    return execute(tx, locked);
  });
}
