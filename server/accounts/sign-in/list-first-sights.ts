import type { Db } from '#server/db/connect.ts';
import { listKnownDevices } from './auth-session-sql.ts';

/** When each device that a member signed in from was first seen, by member; who never signed in is not in the answer. */
export async function listFirstSights(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Date[]>> {
  const sights = new Map<bigint, Date[]>();
  for (const { memberId, firstSeenAt } of await listKnownDevices(db, memberIds)) {
    sights.set(memberId, [...(sights.get(memberId) ?? []), firstSeenAt]);
  }
  return sights;
}
