import type { OperatorRole } from '#contract/endpoint.ts';
import type { OperatorCode } from '#contract/fields.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import type { OperatorAuthorities } from './core/approvals.ts';

/** What approvals ask about operators, whose accounts are a later domain: it gives this to every decision. */
export type Operators = {
  /**
   * Takes a code of their app, once, before the transaction of the decision: it is used up whatever becomes of that, or
   * it could be tried on until one fits.
   */
  readonly confirm: (context: Context, operatorId: bigint, otp: OperatorCode) => Promise<void>;
  /** What these operators may do at this moment, to be shown. */
  readonly list: (db: Db, ids: readonly bigint[]) => Promise<OperatorAuthorities>;
  /**
   * The same, held until the transaction ends: whoever disables one of them or takes a role away waits for what rests on
   * their word, or was first and is seen.
   */
  readonly lock: (tx: Tx, ids: readonly bigint[]) => Promise<OperatorAuthorities>;
};

/** The operator who proposes or decides, and from which network address. */
export type OperatorActor = { readonly operatorId: bigint; readonly address: string };

/** The same in the words of the audit log. */
export const actingAs = ({ operatorId, address }: OperatorActor) =>
  ({ actor: { kind: 'operator', id: operatorId }, address }) as const;

export type Decision<Seen, Result> = {
  readonly operators: Operators;
  /** Who may decide. */
  readonly roles: readonly OperatorRole[];
  /** The second factor, of decisions that take one. */
  readonly otp?: OperatorCode | undefined;
  /** Refuses what cannot be decided, as it stands. Left out where there is nothing to look at before. */
  readonly look?: (db: Db) => Promise<unknown>;
  /** The same for good: what is decided about is locked first of all. */
  readonly lock: (tx: Tx) => Promise<Seen>;
  readonly execute: (tx: Tx, seen: Seen) => Promise<Result>;
};

/**
 * The frame of every decision of an operator that others have a word in, or that moves money: what it is about is looked
 * at, the second factor is taken, and in one transaction it is locked, looked at again and decided about. The first look
 * only keeps a code, which is taken once, from being lost to a page that is out of date.
 *
 * Refuses what `look` and `lock` refuse, `second_factor_missing`, `wrong_second_factor`, `not_allowed` to who was disabled
 * or lost the role since the call was let in, and what the decision refuses.
 */
export async function decide<Seen, Result>(
  context: Context,
  { operatorId }: OperatorActor,
  { operators, roles, otp, look, lock, execute }: Decision<Seen, Result>,
): Promise<Result> {
  const { db } = context;
  await look?.(db);
  if (otp !== undefined) await operators.confirm(context, operatorId, otp);
  return inTransaction(db, async (tx) => {
    const seen = await lock(tx);
    const actor = (await operators.lock(tx, [operatorId])).get(operatorId);
    if (actor?.isActive !== true || !roles.includes(actor.role)) throw new Refused('not_allowed');
    return execute(tx, seen);
  });
}
