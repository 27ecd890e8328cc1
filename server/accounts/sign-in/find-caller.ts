import assert from 'node:assert';
import type { Caller } from '#server/caller.ts';
import { type Context, onReserved } from '#server/context.ts';
import { missingFactor } from '../core/operator-rules.ts';
import { touchEverySeconds } from '../core/session-life.ts';
import { hashToken } from '../secrets.ts';
import { type AuthSessionRow, findAuthSession, updateLastUse } from './auth-session-sql.ts';
import { callerCache } from './caller-cache.ts';

type CallerSearch = {
  /** Reads on the connections that are kept free. */
  readonly isReserved?: boolean | undefined;
  /** Reads the database, whatever was found a moment ago, perhaps by another process. */
  readonly isFresh?: boolean | undefined;
};

/**
 * Who a token belongs to, or undefined when it is unknown, ended or expired. At most one query by primary key, and
 * none within a second of the last one, unless it has to be fresh. Use moves the end of idle sign-ins on, written once a minute.
 */
export async function findCaller(
  context: Context,
  token: string,
  { isReserved, isFresh }: CallerSearch = {},
): Promise<Caller | undefined> {
  if (token === '') return undefined;
  const { db } = isReserved ? onReserved(context) : context;
  const now = context.now();
  const tokenHash = hashToken(token);
  const cache = callerCache<Caller>(context.db);
  const known = isFresh ? undefined : cache.find(tokenHash, now);
  if (known !== undefined) return known;

  const endingsBefore = cache.endings;
  const row = await findAuthSession(db, tokenHash, now);
  if (row === undefined) return undefined;
  if (now.getTime() - row.lastUsedAt.getTime() >= touchEverySeconds * 1000) {
    await updateLastUse(db, tokenHash, now);
  }
  const caller = toCaller(context, row);
  // Who is about to set a second factor up must be seen with it at once.
  const mayChange = caller.kind === 'operator' && !caller.hasSecondFactor;
  if (!mayChange) cache.keep(tokenHash, caller, { now, endsAt: row.expiresAt, endingsBefore });
  return caller;
}

/** Called after the commit that ended or changed sign-ins. */
export function forgetCallers(context: Context, tokenHashes: readonly Buffer[]): void {
  callerCache<Caller>(context.db).forget(tokenHashes);
}

function toCaller({ config }: Pick<Context, 'config'>, row: AuthSessionRow): Caller {
  if (row.memberId !== null) {
    const { id: authSessionId, memberId, openingId, openedAs, isUnconfirmed } = row;
    assert((openingId === null) === (openedAs === null), 'whoever opened it has a role');
    return {
      kind: 'member',
      memberId,
      authSessionId,
      ...(openingId === null || openedAs === null ? {} : { opening: { id: openingId, role: openedAs } }),
      ...(isUnconfirmed ? { isUnconfirmed } : {}),
    };
  }
  const { operatorId, role, hasApp, passkeys } = row;
  assert(operatorId !== null && role !== null, 'a sign-in belongs to a member or an operator');
  const factors = { hasApp: hasApp === true, passkeys: passkeys ?? 0 };
  const hasSecondFactor = missingFactor({ mode: config.mode, role, ...factors }) === null;
  return { kind: 'operator', operatorId, role, authSessionId: row.id, hasSecondFactor };
}
