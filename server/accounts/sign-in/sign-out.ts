import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/tx.ts';
import { endOpening } from '../impersonation/end-opening.ts';
import { deleteAuthSession } from './auth-session-sql.ts';
import { forgetCallers, type MemberCaller } from './find-caller.ts';

/** Ends the sign-in the call came with; its token is worth nothing from here on. */
export async function signOut(context: Context, caller: MemberCaller, address: string): Promise<void> {
  const ended = await inTransaction(context.db, async (tx) => {
    if (caller.openingId !== undefined) return endOpening(context, tx, caller.memberId, caller.openingId, address);
    await writeAudit(tx, {
      actor: { kind: 'member', id: caller.memberId },
      action: 'member.sign_out',
      subject: `member:${caller.memberId}`,
      address,
    });
    return deleteAuthSession(tx, caller.memberId, caller.authSessionId);
  });
  forgetCallers(context, ended);
}
