import type { Tx } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { findAccount, type OperatorAccount } from './account-sql.ts';

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
