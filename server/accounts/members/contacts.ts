import type { Db } from '#server/db/connect.ts';
import { type Contact, listContactRows } from './contacts-sql.ts';

/**
 * Who these members are and how they are reached, by id; ids nobody has are not in the answer. Mobile and mail are whole:
 * what others see of them is for who shows them to mask.
 */
export async function listContacts(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Contact>> {
  return new Map((await listContactRows(db, memberIds)).map((row) => [row.id, row]));
}
