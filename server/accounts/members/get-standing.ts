import type { Security } from '#contract/accounts/profile.ts';
import type { OwnLimits } from '#contract/accounts/sign-in.ts';
import type { Context } from '#server/context.ts';
import { limitsAt } from '../core/own-limits.ts';
import { findStoredLimits } from '../limits/own-limit-sql.ts';
import { showLimits } from '../limits/own-limits.ts';
import { listMemberSessions, type MemberSessionRow } from '../sign-in/auth-session-sql.ts';
import { getSecurity } from '../sign-in/get-security.ts';

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
