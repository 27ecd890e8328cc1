import { sql } from 'kysely';
import type { operatorAccounts } from '#contract/accounts/operators.ts';
import type { AuthSession } from '#contract/accounts/profile.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/index.ts';
import type { Context } from '#server/context.ts';
import type { Db, Tx } from '#server/db/connect.ts';
import { inTransaction } from '#server/db/tx.ts';
import { Refused } from '#server/refused.ts';
import {
  deleteOperatorSession,
  deleteOperatorSessions,
  type MemberSessionRow,
} from '../../sign-in/auth-session-sql.ts';
import { forgetCallers, type OperatorCaller } from '../../sign-in/find-caller.ts';
import { findOperatorRow } from '../operator-sql.ts';

/** The operator's own sign-ins, last used first. */
export async function listOperatorSessions(context: Context, caller: OperatorCaller): Promise<AuthSession[]> {
  const rows = await listOwnSessions(context.db, caller.operatorId, context.now());
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

/** Who is signed in, and until when. Refusal: `session_required` when the sign-in ended at this moment. */
export async function getOperatorMe(
  context: Context,
  caller: OperatorCaller,
): Promise<DataOf<typeof operatorAccounts.getOperatorMe>> {
  const { operatorId, authSessionId } = caller;
  const operator = await findOperatorRow(context.db, operatorId);
  const session = await findOwnSession(context.db, operatorId, authSessionId);
  if (operator === undefined || session === undefined) throw new Refused('session_required');
  return {
    operator: { ...operator, id: operatorId.toString() },
    second_factor: caller.hasSecondFactor,
    session: {
      id: authSessionId.toString(),
      created_at: session.createdAt.toISOString(),
      expires_at: session.expiresAt.toISOString(),
    },
  };
}

/** Ends the sign-in the call came with. */
export async function signOutOperator(context: Context, caller: OperatorCaller, address: string): Promise<void> {
  await end(context, async (tx) => {
    await audit(tx, caller, 'operator.sign_out', undefined, address);
    return deleteOperatorSession(tx, caller.operatorId, caller.authSessionId);
  });
}

/** Ends one of the operator's own sign-ins. Refusal: `not_found`, also for one of somebody else. */
export async function endOperatorSession(
  context: Context,
  caller: OperatorCaller,
  authSessionId: bigint,
  address: string,
): Promise<void> {
  await end(context, async (tx) => {
    const ended = await deleteOperatorSession(tx, caller.operatorId, authSessionId);
    if (ended.length === 0) throw new Refused('not_found');
    await audit(tx, caller, 'operator.end_sessions', { endedSessions: ended.length }, address);
    return ended;
  });
}

/** Ends all of them but the one the call came with, and what was opened from them. Returns how many ended. */
export const endOtherOperatorSessions = (context: Context, caller: OperatorCaller, address: string): Promise<number> =>
  end(context, async (tx) => {
    const ended = await deleteOperatorSessions(tx, caller.operatorId, caller.authSessionId);
    if (ended.length > 0) await audit(tx, caller, 'operator.end_sessions', { endedSessions: ended.length }, address);
    return ended;
  });

async function end(context: Context, work: (tx: Tx) => Promise<Buffer[]>): Promise<number> {
  const ended = await inTransaction(context.db, work);
  forgetCallers(context, ended);
  return ended.length;
}

const audit = (tx: Tx, caller: OperatorCaller, action: string, after: unknown, address: string): Promise<void> =>
  writeAudit(tx, {
    actor: { kind: 'operator', id: caller.operatorId },
    action,
    subject: `operator:${caller.operatorId}`,
    ...(after === undefined ? {} : { after }),
    address,
  });

/** When one sign-in of an operator began and when it is over. */
async function findOwnSession(
  db: Db,
  operatorId: bigint,
  id: bigint,
): Promise<{ createdAt: Date; expiresAt: Date } | undefined> {
  const { rows } = await sql<{ createdAt: Date; expiresAt: Date }>`
    select created_at as "createdAt", expires_at as "expiresAt"
    from identity.auth_session where operator_id = ${operatorId} and id = ${id}`.execute(db);
  return rows[0];
}

/** Sign-ins of an operator that are not over, last used first; of more than a hundred the newest. */
async function listOwnSessions(db: Db, operatorId: bigint, now: Date): Promise<MemberSessionRow[]> {
  const { rows } = await sql<MemberSessionRow>`
    select id, device, address, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from identity.auth_session where operator_id = ${operatorId} and expires_at > ${now}
    order by last_used_at desc, id desc limit 100`.execute(db);
  return rows;
}
