import type { Tx } from '#server/db/connect.ts';
import { memberClasses } from '../core/account.ts';
import { insertAccounts } from './sql.ts';

/** Opens the five accounts of each member, at zero. Doing it again changes nothing. */
export async function openMemberAccounts(tx: Tx, memberIds: readonly bigint[]): Promise<void> {
  await insertAccounts(tx, memberIds, Object.values(memberClasses));
}
