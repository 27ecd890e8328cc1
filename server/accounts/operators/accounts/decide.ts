import type { OperatorCode } from '#contract/fields.ts';
import { decide, type OperatorActor } from '#server/approvals/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { emailOperators } from '#server/notify/index.ts';
import { Refused } from '#server/refused.ts';
import type { EmailText } from '../../core/emails.ts';
import { operators } from '../operators.ts';
import { findAccount, listMailboxes, lockDecisions, type OperatorAccount } from './account-sql.ts';

/** An admin who decides about operators, with a fresh code of their authenticator app. */
export type AdminActor = OperatorActor & { readonly otp: OperatorCode };

/**
 * Runs a decision about operators: one after the other, so that of two admins who disable each other one is left, and two
 * approvals at once are one. Refuses what every decision does.
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
 * Another operator, who is not disabled, for a decision about them. Refusals: `operator_not_found`, `operator_disabled`,
 * `own_operator_account`.
 */
export async function findColleague(tx: Tx, by: OperatorAccount, id: bigint, now: Date): Promise<OperatorAccount> {
  const found = await findAccount(tx, id, now);
  if (found === undefined) throw new Refused('operator_not_found');
  if (found.id === by.id) throw new Refused('own_operator_account');
  if (found.disabledAt !== null) throw new Refused('operator_disabled');
  return found;
}

/**
 * Emails operators what happens to operators, in its transaction: everybody when finance or admin is touched, so that no
 * such account comes or goes unseen, else those whom it concerns.
 */
export async function notifyOperators(
  tx: Tx,
  mail: EmailText,
  to: { readonly everybody: boolean; readonly ids: readonly bigint[] },
): Promise<void> {
  await emailOperators(tx, await listMailboxes(tx, to), mail);
}

/** Where a page of the console is, for mails. */
export function consoleUrl({ config }: Pick<Context, 'config'>, page: 'invitation' | 'operators'): string {
  return `${siteUrl({ config })}/operator/${page}`;
}

/** Where the web app is, for emails. */
export const siteUrl = ({ config }: Pick<Context, 'config'>): string =>
  config.publicUrl ?? `http://${config.host}:${config.port}`;
