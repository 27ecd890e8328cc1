import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { findMember, listFrozen, listNames, type Member } from './member-sql.ts';

export type { Member } from './member-sql.ts';

/** One member, or the refusal `not_found`. */
export async function getMember(db: Db, memberId: bigint): Promise<Member> {
  const member = await findMember(db, memberId);
  if (member === undefined) throw new Refused('not_found');
  return member;
}

/** Names by id; ids nobody has are not in the answer. */
export async function listMemberNames(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, string>> {
  return new Map((await listNames(db, memberIds)).map((row) => [row.id, row.name]));
}

/** Ids of all frozen members, in id order. There are few: each one was frozen by a person or a fault. */
export const listFrozenMembers = (db: Db): Promise<bigint[]> => listFrozen(db);
