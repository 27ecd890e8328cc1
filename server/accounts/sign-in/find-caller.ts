import assert from 'node:assert';
import type { Caller } from '#server/caller.ts';
import { type Context, onReserved } from '#server/context.ts';
import type { Db } from '#server/db/connect.ts';
import { withPoolShare } from '#server/db/semaphore.ts';
import { hashToken } from '#server/random-text.ts';
import { missingFactor } from '../core/operator-rules.ts';
import { touchEverySeconds } from '../core/session-life.ts';
import { type AuthSessionRow, findAuthSession, listAuthSessions, updateLastUse } from './auth-session-sql.ts';
import { callerCache } from './caller-cache.ts';

type CallerSearch = {
  /** Uses the reserved connections. */
  readonly isReserved?: boolean | undefined;
  /** Bypasses the cache. */
  readonly isFresh?: boolean | undefined;
};

/**
 * The caller of a token, or undefined if it is unknown, ended or expired. Takes one query by primary key, and none
 * within a second of the last one unless it must be fresh. Entries used in the second half of that second are refreshed
 * in the background, so a busy client never waits. Use extends idle sign-ins; it is written once a minute.
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
  if (known?.isAging) scheduleRefresh(context, tokenHash);
  if (known !== undefined) return known.value;

  const endingsBefore = cache.endings;
  const row = await findAuthSession(db, tokenHash, now);
  if (row === undefined) return undefined;
  if (isTouchDue(row, now)) await updateLastUse(db, tokenHash, now);
  const caller = toCaller(context, row);
  if (isCacheable(caller)) cache.store(tokenHash, caller, { now, endsAt: row.expiresAt, endingsBefore });
  return caller;
}

const isTouchDue = ({ lastUsedAt }: AuthSessionRow, now: Date): boolean =>
  now.getTime() - lastUsedAt.getTime() >= touchEverySeconds * 1000;

/** An operator who is setting up a second factor must be seen with it immediately. */
const isCacheable = (caller: Caller): boolean => caller.kind === 'member' || caller.hasSecondFactor;

/** Refreshes are batched for this time. */
const COLLECT_MS = 100;
const aging = new WeakMap<Db, Map<string, Buffer>>();

function scheduleRefresh(context: Context, tokenHash: Buffer): void {
  const hashes = aging.get(context.db) ?? new Map<string, Buffer>();
  // Nothing waits for it. After a failure, the next caller reads for itself and gets the error.
  if (hashes.size === 0) setTimeout(() => void refresh(context).catch(() => {}), COLLECT_MS).unref();
  hashes.set(tokenHash.toString('base64'), tokenHash);
  aging.set(context.db, hashes);
}

async function refresh(context: Context): Promise<void> {
  const { db } = context;
  const hashes = [...(aging.get(db)?.values() ?? [])];
  aging.delete(db);
  const now = context.now();
  const cache = callerCache<Caller>(db);
  const endingsBefore = cache.endings;
  const share = { caller: 'sign-ins that are read again', writes: false };
  const rows = await withPoolShare(share, () => listAuthSessions(db, hashes, now));
  for (const { tokenHash, ...row } of rows) {
    const caller = toCaller(context, row);
    // The next call writes the last use.
    if (isTouchDue(row, now) || !isCacheable(caller)) continue;
    cache.store(tokenHash, caller, { now, endsAt: row.expiresAt, endingsBefore });
  }
}

/** Called after the commit that ended or changed sign-ins. */
export function evictCallers(context: Context, tokenHashes: readonly Buffer[]): void {
  callerCache<Caller>(context.db).evict(tokenHashes);
}

function toCaller({ config }: Pick<Context, 'config'>, row: AuthSessionRow): Caller {
  if (row.memberId !== null) {
    const { id: authSessionId, memberId, openingId, openedAs, isUnconfirmed } = row;
    assert((openingId === null) === (openedAs === null), 'an impersonating operator has a role');
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
