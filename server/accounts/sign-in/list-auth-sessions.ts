import type { AuthSession } from '#contract/accounts/profile.ts';
import type { Context } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { listKnownDevices, listMemberSessions, listSessionEnds as listRows } from './auth-session-sql.ts';
import type { MemberCaller } from './find-caller.ts';

const MOST = 100;

/** The member's own sign-ins that are not over, last used first. Of more than a hundred the newest are told. */
export async function listAuthSessions(context: Context, caller: MemberCaller): Promise<AuthSession[]> {
  const rows = await listMemberSessions(context.db, caller.memberId, context.now(), MOST);
  return rows.map((row) => ({
    id: row.id.toString(),
    device: row.device,
    address: row.address,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    current: row.id === caller.authSessionId,
  }));
}

/**
 * Which of these sign-ins still count, and until when if they are not used meanwhile. Asking is no use: a page that only
 * listens does not keep anybody signed in.
 */
export async function listSessionEnds(
  { db, now }: Context,
  authSessionIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Date>> {
  if (authSessionIds.length === 0) return new Map();
  const rows = await listRows(db, authSessionIds, now());
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
}

/** When each device that a member signed in from was first seen, by member; who never signed in is not in the answer. */
export async function listFirstSights(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Date[]>> {
  const sights = new Map<bigint, Date[]>();
  for (const { memberId, firstSeenAt } of await listKnownDevices(db, memberIds)) {
    sights.set(memberId, [...(sights.get(memberId) ?? []), firstSeenAt]);
  }
  return sights;
}
