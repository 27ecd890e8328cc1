import type { AuthSession } from '#contract/accounts/profile.ts';
import type { Caller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { execute, listRows } from '#server/db/rows.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { endImpersonation } from '../impersonation/open-member.ts';
import { auditOwn } from '../owner.ts';
import { type AuthSessionSummary, deleteSession, deleteSessions, listSessionRows } from './auth-session-sql.ts';
import { deleteDeviceOf } from './device-tokens.ts';
import { evictCallers } from './find-caller.ts';

/** The caller's own active sign-ins, last used first. */
export async function listAuthSessions(context: Context, caller: Caller): Promise<AuthSession[]> {
  const rows = await listSessionRows(context.db, caller, context.now());
  return rows.map((row) => ({ ...showSignIn(row), current: row.id === caller.authSessionId }));
}

export const showSignIn = (row: AuthSessionSummary): Omit<AuthSession, 'current'> => ({
  id: row.id.toString(),
  device: row.device,
  address: row.address,
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
});

/**
 * The active ones of these sign-ins, and when they end if they are not used. This does not count as use: an open live
 * connection alone keeps nobody signed in.
 */
export async function listSessionEnds(
  { db, now }: Context,
  authSessionIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Date>> {
  if (authSessionIds.length === 0) return new Map();
  const rows = await listRows(db)<{ id: bigint; expiresAt: Date }>`
    select id, expires_at as "expiresAt" from identity.auth_session
    where id = any (${[...authSessionIds]}::bigint[]) and expires_at > ${now()}`;
  return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
}

/** When each device of a member was first seen, by member, without members who never signed in. */
export async function listFirstSeen(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, Date[]>> {
  const devices = await listRows(db)<{ memberId: bigint; firstSeenAt: Date }>`
    select member_id as "memberId", first_seen_at as "firstSeenAt" from identity.known_device
    where member_id = any (${[...memberIds]}::bigint[])`;
  const ofMembers = Map.groupBy(devices, ({ memberId }) => memberId);
  return new Map([...ofMembers].map(([memberId, rows]) => [memberId, rows.map(({ firstSeenAt }) => firstSeenAt)]));
}

/**
 * Ends one of the caller's own sign-ins and forgets its device. This process refuses the token immediately, others
 * within a second. Refuses `not_found`, also for someone else's sign-in.
 */
export async function endAuthSession(
  context: Context,
  caller: Caller,
  authSessionId: bigint,
  address: string,
): Promise<void> {
  await end(context, async (tx) => {
    await deleteDeviceOf(tx, caller, authSessionId);
    const ended = await deleteSession(tx, caller, authSessionId);
    if (ended.length === 0) throw new Refused('not_found');
    await auditEnded(tx, caller, ended.length, address);
    return ended;
  });
}

/** Ends all of them except the current one, and impersonations started from them. Returns how many ended. */
export const endOtherSessions = (context: Context, caller: Caller, address: string): Promise<number> =>
  end(context, async (tx) => {
    const ended = await deleteSessions(tx, caller, caller.authSessionId);
    if (ended.length > 0) await auditEnded(tx, caller, ended.length, address);
    return ended;
  });

/** Ends the current sign-in. */
export async function signOut(context: Context, caller: Caller, address: string): Promise<void> {
  await end(context, async (tx) => {
    if (caller.kind === 'member' && caller.opening !== undefined)
      return endImpersonation(context, tx, caller.memberId, caller.opening.id, address);
    await auditOwn(tx, caller, `${caller.kind}.sign_out`, { address });
    return deleteSession(tx, caller, caller.authSessionId);
  });
}

async function end(context: Context, work: (tx: Tx) => Promise<Buffer[]>): Promise<number> {
  const ended = await inTransaction(context.db, work);
  evictCallers(context, ended);
  return ended.length;
}

const auditEnded = (tx: Tx, caller: Caller, endedSessions: number, address: string): Promise<void> =>
  auditOwn(tx, caller, `${caller.kind}.end_sessions`, { after: { endedSessions }, address });

/** Job: deletes expired sign-ins, codes, tokens and counters. They are refused from their expiry on, not from this. */
export async function purgeExpired({ db, now: readClock }: Context): Promise<void> {
  const now = readClock();
  await execute(db)`delete from identity.auth_session where expires_at <= ${now}`;
  await execute(db)`delete from identity.otp where expires_at <= ${now}`;
  await execute(db)`delete from identity.reset_token where expires_at <= ${now}`;
  await execute(db)`delete from identity.reset_request where expires_at <= ${now} and login_id is null`;
  await execute(db)`delete from identity.sign_in_challenge where expires_at <= ${now}`;
  await execute(db)`delete from identity.passkey_challenge where expires_at <= ${now}`;
  await execute(db)`delete from identity.device_token where expires_at <= ${now}`;
  await execute(db)`delete from identity.stranger_failure where minute <= ${now}::timestamptz - interval '1 hour'`;
  await execute(db)`delete from identity.stop_link where expires_at <= ${now}`;
  await execute(db)`delete from identity.attempt where expires_at <= ${now}`;
}
