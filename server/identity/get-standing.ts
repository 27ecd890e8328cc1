import type { Security } from '#contract/account.ts';
import type { OwnLimits } from '#contract/identity.ts';
import type { Context } from '#server/context.ts';
import { listMemberSessions, type MemberSessionRow } from './auth-session-sql.ts';
import { limitsAt } from './core/own-limits.ts';
import { getSecurity } from './get-security.ts';
import { findStoredLimits } from './own-limit-sql.ts';
import { showLimits } from './show-limits.ts';

const MOST_SIGN_INS = 100;

export type Standing = {
  readonly security: Security;
  readonly limits: OwnLimits;
  /** Not over, last used first. */
  readonly signIns: readonly MemberSessionRow[];
};

/** How an account is protected, what its member limited themselves to, and where it is signed in. Refuses `not_found`. */
export async function getStanding({ db, now }: Context, memberId: bigint): Promise<Standing> {
  const [security, stored, signIns] = await Promise.all([
    getSecurity(db, memberId),
    findStoredLimits(db, memberId),
    listMemberSessions(db, memberId, now(), MOST_SIGN_INS),
  ]);
  return { security, limits: showLimits(limitsAt(stored, now())), signIns };
}
