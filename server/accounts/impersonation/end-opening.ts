import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { deleteOpeningSession } from '../sign-in/auth-session-sql.ts';
import { findOpeningOperator, updateOpeningEnded } from './opening-sql.ts';

/**
 * Ends a look into a member's account before its time. It was the operator's doing and is told as theirs.
 *
 * @returns hashes of the tokens that ended, for the cache of callers
 */
export async function endOpening(
  context: Context,
  tx: Tx,
  memberId: bigint,
  openingId: bigint,
  address: string,
): Promise<Buffer[]> {
  await updateOpeningEnded(tx, openingId, context.now());
  await writeAudit(tx, {
    actor: { kind: 'operator', id: await findOpeningOperator(tx, openingId) },
    action: 'member.end_opening',
    subject: `member:${memberId}`,
    after: { openingId },
    address,
  });
  return deleteOpeningSession(tx, openingId);
}
