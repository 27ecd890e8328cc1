import type { OperatorCode } from '#contract/fields.ts';
import { decide, type OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { emailOperators } from '#server/notify/index.ts';
import { orRefuse, Refused } from '#server/refused.ts';
import type { EmailText } from '../../core/emails.ts';
import { operators } from '../operators.ts';
import { findAccount, listMailboxes, lockDecisions, type OperatorAccount } from './account-sql.ts';

/** An admin who decides about operators, with a second factor. */
export type AdminActor = OperatorActor & { readonly otp: OperatorCode };

/**
 * Runs a decision about operators. Decisions are serialized: of two admins who disable each other one remains, and two
 * concurrent approvals count once. Refuses what every decision does.
 */
export const decideAboutOperators = <Result>(
  context: Context,
  actor: AdminActor,
  execute: (tx: Tx, by: OperatorAccount, now: Date) => Promise<Result>,
): Promise<Result> =>
  decide(context, actor, {
    operators,
    roles: ['admin'],
    otp: actor.otp,
    lock: lockDecisions,
    execute: async (tx) => {
      const now = context.now();
      const by = await findAccount(tx, actor.operatorId, now);
      if (by?.hasSecondFactor !== true) throw new Refused('not_allowed');
      return execute(tx, by, now);
    },
  });

/**
 * Another active operator, for a decision about them. Refuses `operator_not_found`, `operator_disabled`,
 * `own_operator_account`.
 */
export async function findColleague(tx: Tx, by: OperatorAccount, id: bigint, now: Date): Promise<OperatorAccount> {
  const found = orRefuse(await findAccount(tx, id, now), 'operator_not_found');
  if (found.id === by.id) throw new Refused('own_operator_account');
  if (found.disabledAt !== null) throw new Refused('operator_disabled');
  return found;
}

/**
 * Queues an email about a change of operators in its transaction: to every operator for finance and admin accounts,
 * which must never change unnoticed, else to those concerned.
 */
export async function notifyOperators(
  tx: Tx,
  mail: EmailText,
  to: { readonly everybody: boolean; readonly ids: readonly bigint[] },
): Promise<void> {
  await emailOperators(tx, await listMailboxes(tx, to), mail);
}

/** The URL of a console page, for emails. */
export function consoleUrl({ config }: Pick<Context, 'config'>, page: 'invitation' | 'operators'): string {
  return `${config.siteUrl}/operator/${page}`;
}
