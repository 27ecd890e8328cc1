import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import { deleteAuthSession, deleteAuthSessions } from './auth-session-sql.ts';
import { forgetCallers, type MemberCaller } from './find-caller.ts';

/**
 * Ends one of the member's own sign-ins: its token is refused at once in this process, and within a second in others.
 * Refusal: `not_found`, also for a sign-in of somebody else.
 */
export async function endAuthSession(
  context: Context,
  { memberId }: MemberCaller,
  authSessionId: bigint,
  address: string,
): Promise<void> {
  const ended = await inTransaction(context.db, async (tx) => {
    const hashes = await deleteAuthSession(tx, memberId, authSessionId);
    if (hashes.length === 0) throw new Refused('not_found');
    await audit(tx, memberId, hashes.length, address);
    return hashes;
  });
  forgetCallers(context, ended);
}

/** Ends all of them but the one the call came with. Returns how many ended. */
export async function endOtherSessions(context: Context, caller: MemberCaller, address: string): Promise<number> {
  const { memberId, authSessionId } = caller;
  const ended = await inTransaction(context.db, async (tx) => {
    const hashes = await deleteAuthSessions(tx, memberId, authSessionId);
    if (hashes.length > 0) await audit(tx, memberId, hashes.length, address);
    return hashes;
  });
  forgetCallers(context, ended);
  return ended.length;
}

const audit = (tx: Tx, memberId: bigint, endedSessions: number, address: string): Promise<void> =>
  writeAudit(tx, {
    actor: { kind: 'member', id: memberId },
    action: 'member.end_sessions',
    subject: `member:${memberId}`,
    after: { endedSessions },
    address,
  });
