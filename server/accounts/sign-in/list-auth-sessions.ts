import type { AuthSession } from '#contract/accounts/profile.ts';
import type { Context } from '#server/context.ts';
import { listMemberSessions } from './auth-session-sql.ts';
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
