import type { Security } from '#contract/accounts/profile.ts';
import type { Db } from '#server/db/connect.ts';
import { Refused } from '#server/refused.ts';
import { findSecurity } from './security-sql.ts';

/** How well an account is protected. */
export async function getSecurity(db: Db, memberId: bigint): Promise<Security> {
  const row = await findSecurity(db, memberId);
  if (row === undefined) throw new Refused('not_found');
  return {
    second_factor: row.hasSecondFactor,
    recovery_codes_left: row.recoveryCodesLeft,
    email_verified: row.emailVerifiedAt !== null,
    password_changed_at: row.passwordChangedAt?.toISOString() ?? null,
  };
}
