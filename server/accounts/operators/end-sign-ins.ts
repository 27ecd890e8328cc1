import type { OperatorCaller } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import type { Tx } from '#server/db/connect.ts';
import { afterCommit } from '#server/db/tx.ts';
import { deletePasskeyChallenges } from '../passkeys/ceremonies.ts';
import { deleteSessions } from '../sign-in/auth-session-sql.ts';
import { evictCallers } from '../sign-in/find-caller.ts';
import { deleteChallenges } from '../sign-in/sign-in-challenge.ts';
import { deleteSetUp } from '../two-factor/second-factor.ts';

/** Ends an operator's sign-ins, except one, and those that wait for a second factor. Returns how many ended. */
export async function endSignIns(
  tx: Tx,
  context: Context,
  operatorId: bigint,
  except: bigint | null = null,
): Promise<number> {
  const ended = await deleteSessions(tx, { operatorId }, except);
  await deleteChallenges(tx, { operatorId });
  afterCommit(tx, () => evictCallers(context, ended));
  return ended.length;
}

/** After a change of their own password or second factors: pending set-ups end, too. Returns how many sign-ins ended. */
export async function endOtherSignIns(tx: Tx, context: Context, caller: OperatorCaller): Promise<number> {
  const { operatorId, authSessionId } = caller;
  const ended = await endSignIns(tx, context, operatorId, authSessionId);
  await deletePasskeyChallenges(tx, { operatorId });
  await deleteSetUp(tx, { operatorId });
  return ended;
}
